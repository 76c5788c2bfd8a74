/** The version of n8n whose n8n-core and n8n-workflow the tests run in: `npm test -- --n8n-core`, or the project's own. */
const N8N = process.env.VOICE_ADMIN_N8N_CORE ?? '2.8.4';

const isFrom = (version: string) => N8N.localeCompare(version, 'en', { numeric: true }) >= 0;

/**
 * What versions of n8n do differently, where a test depends on it; everything else is the same in all of them. The version
 * is the first of the tested lines that does it, where it is not known more exactly.
 */
export const differences = {
	/** Of a credential whose type gives n8n something to store, the expressions stay; before, n8n stored their values. */
	keepsExpressions: isFrom('2.34'),
};
