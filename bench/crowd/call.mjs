/**
 * What came of one call of a webhook.
 * @typedef {{ ms: number, items: number, good: number, isAnswered: boolean }} Call
 *   ms: until the whole reply was there; good: items of which it has a result; isAnswered: not with an error of n8n
 */

/**
 * Calls a webhook with items that no other call has.
 * @param {string} url
 * @param {number} first id
 * @param {number} items
 * @returns {Promise<Call>}
 */
export async function call(url, first, items) {
	const ids = Array.from({ length: items }, (_, n) => first + n);
	const started = performance.now();
	const entries = await post(url, { items: ids.map((id) => ({ id })) });
	const ms = performance.now() - started;
	const results = new Set(entries?.map(({ id }) => Number(id)));
	return { ms, items, good: ids.filter((id) => results.has(id)).length, isAnswered: entries !== undefined };
}

async function post(url, body) {
	try {
		const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
		const content = await reply.json();
		return reply.ok && Array.isArray(content) ? content : undefined;
	} catch {
		return undefined;
	}
}
