import type { Client } from '../records';

/** Parts in base64url, of which the first is a JSON object, where `{"` gives `eyJ`; also one that was cut. */
const ACCESS_TOKEN = /eyJ[\w-]{8,}(\.[\w-]*)*/g;

/**
 * JSON text in which access tokens and the clients' API keys are replaced by a word, wherever they stand: someone may
 * have put one into a path, a customer or a rule by mistake.
 */
export function withoutSecrets(json: string, clients: Client[]): string {
	const masked = json.replace(ACCESS_TOKEN, '[access token]');
	return clients.reduce((text, { clientSecret }) => text.replaceAll(JSON.stringify(clientSecret).slice(1, -1), '[API key]'), masked);
}
