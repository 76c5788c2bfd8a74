/** Parts in base64url, of which the first is a JSON object, where `{"` gives `eyJ`; also one that was cut. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/** A field whose name often stands for a secret, in JSON or in a form, with its value. */
const SECRET_FIELD = /((?:pass|secret|token|key|auth)[\w-]{0,40}"?\s{0,20}([:=])\s{0,20})(?:"(?:[^"\\]|\\.)*"|[^"&,}\s][^&,}\s]*)/gi;

/**
 * A text in which access tokens, and fields with the name of a secret, are replaced by a word: the key that someone
 * has entered may be that of another service. (The sandbox's own keys are public.)
 */
export const withoutSecrets = (text: string): string =>
	text
		.replace(SECRET_FIELD, (_, name: string, sign: string) => name + (sign === ':' ? '"[hidden]"' : '[hidden]'))
		.replace(ACCESS_TOKEN, '[access token]');
