import type { VoiceAdminCredential } from './credential';

/** Shorter than this, a "secret" is more likely to cut words in half than to give anything away. */
const SHORTEST_SECRET = 4;

/**
 * Takes the API key and the access token out of a text that came from outside, because a service
 * or a proxy may repeat what it was sent.
 *
 * @param tokens further tokens that were sent
 */
export function redact(
	text: string,
	{ clientSecret, accessToken }: Pick<VoiceAdminCredential, 'clientSecret' | 'accessToken'>,
	...tokens: string[]
): string {
	return [clientSecret, accessToken, ...tokens]
		.flatMap((secret) => [secret, formEncoded(secret)])
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
}

/** A value as the login's form body carries it. */
function formEncoded(value: string): string {
	return new URLSearchParams([['', value]]).toString().slice(1);
}
