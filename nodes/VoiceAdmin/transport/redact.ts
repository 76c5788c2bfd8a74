import type { VoiceAdminCredential } from './credential';

/** Shorter than this, a "secret" is more likely to cut words in half than to give anything away. */
const SHORTEST_SECRET = 4;

/** What must not be seen. */
export type Secrets = Pick<VoiceAdminCredential, 'clientSecret' | 'accessToken'>;

/**
 * Takes the API key and the access token out of a text that came from outside, because a service
 * or a proxy may repeat what it was sent: as it is, or as a form, a URL, JSON or HTML writes it.
 *
 * Before the text is cut to length: the beginning of a token would not be recognised any more.
 *
 * @param tokens further tokens that were sent
 */
export function redact(text: string, { clientSecret, accessToken }: Secrets, ...tokens: string[]): string {
	return [clientSecret, accessToken, ...tokens]
		.flatMap(writings)
		.filter((secret) => secret.length >= SHORTEST_SECRET)
		.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
}

/** How a secret may be written in a text. */
function writings(secret: string): string[] {
	const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
	const inHtml = secret
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
	return [secret, inForm, inForm.replaceAll('+', '%20'), JSON.stringify(secret).slice(1, -1), inHtml];
}
