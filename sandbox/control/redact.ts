import { CLIENTS } from '../store/seed';

/** Parts in base64url, of which the first is a JSON object, where `{"` gives `eyJ`; also one that was cut. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/** What is shown in the place of a secret. */
export const HIDDEN = '[hidden]';

/** Names of fields that often hold a secret. */
export const OFTEN_SECRET = /pass|secret|token|key|auth/i;

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
	return withoutSecrets(hiddenInJson(body) ?? hiddenInForm(body) ?? (OFTEN_SECRET.test(body) ? HIDDEN : body));
}

/** @returns undefined for what is no JSON */
function hiddenInJson(body: string): string | undefined {
	let isHidden = false;
	const hide = (name: string, value: unknown) => {
		const isSecret = value !== null && (OFTEN_SECRET.test(name) || (typeof value === 'string' && /^\s*[[{]/.test(value) && OFTEN_SECRET.test(value)));
		isHidden ||= isSecret;
		return isSecret ? HIDDEN : value;
	};
	try {
		const value: unknown = JSON.parse(body, hide);
		// As it was sent where nothing is hidden: a number of many digits would lose some.
		return isHidden ? JSON.stringify(value) : body;
	} catch {
		return undefined;
	}
}

/** @returns undefined for what is no form */
function hiddenInForm(body: string): string | undefined {
	if (!/^[^\s=&{}<>:]+=\S*$/.test(body)) return undefined;
	const pairs = body.split('&').map((pair) => {
		const [[name = '', value = ''] = []] = new URLSearchParams(pair);
		return OFTEN_SECRET.test(name) && value !== '' ? `${pair.split('=', 1)[0]}=${HIDDEN}` : pair;
	});
	return pairs.join('&');
}
