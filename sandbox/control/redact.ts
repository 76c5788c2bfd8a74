import { CLIENTS } from '../store/seed';

/** Parts in base64url, of which the first is a JSON object, where `{"` gives `eyJ`; also one that was cut. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/** A field whose name often stands for a secret, in JSON or in a form, with its value. */
const SECRET_FIELD = /((?:pass|secret|token|key|auth)[\w-]{0,40}"?\s{0,20}([:=])\s{0,20})(?:"(?:[^"\\]|\\.)*"|[^"&,}\s][^&,}\s]*)/gi;

/**
 * Text in which access tokens and the clients' API keys are replaced by a word, wherever they stand: someone may have
 * put one into a path, a customer or a rule by mistake.
 */
export function withoutSecrets(text: string): string {
	const masked = text.replace(ACCESS_TOKEN, '[access token]');
	return CLIENTS.reduce((rest, { clientSecret }) => rest.replaceAll(clientSecret, '[API key]'), masked);
}

/** A body without secrets, also those that are only known by the name of their field, such as the key of a login that failed. */
export function bodyWithoutSecrets(body: string): string {
	return withoutSecrets(body.replace(SECRET_FIELD, (_, name: string, sign: string) => name + (sign === ':' ? '"[hidden]"' : '[hidden]')));
}
