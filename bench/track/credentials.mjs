import { PEERS } from '../peers/index.mjs';

/** The credential in which n8n has stored a token before anything is measured. */
export const warmCredential = (type) => `warm-${type}`;

/** All types of credential that the peers use. */
export const CREDENTIAL_TYPES = [...new Set(Object.values(PEERS).flatMap(({ credentialType }) => credentialType ?? []))];

/**
 * A credential without a token.
 * @param {string} id
 * @param {string} type
 * @param {string} url of the service
 */
export function credential(id, type, url) {
	return { id, name: id, type, data: { environment: 'production', baseUrl: url, clientId: id, clientSecret: 'bench-key-not-a-secret' } };
}
