/**
 * What came out of a node in one run: the items, and the errors as n8n shows them to the user.
 * @param {{ data?: { main?: (object[] | null)[] }, error?: object }[] | undefined} runs the node's entry in `runData`
 * @returns {Outcome}
 * @typedef {{ json: object[], errors: { message: string, description?: string, httpCode?: string }[] }} Outcome
 */
export function outcomeOf(runs) {
	const outcome = { json: [], errors: [] };
	for (const run of runs ?? []) {
		if (run.error) outcome.errors.push(readError(run.error));
		const items = (run.data?.main ?? []).flatMap((output) => output ?? []);
		for (const item of items) {
			const error = item.error ?? item.json.error;
			if (error) outcome.errors.push(readError(error, item.json));
			else outcome.json.push(item.json);
		}
	}
	return outcome;
}

/** n8n writes an error into an item as its message alone or as an object, by version and kind of error. */
function readError(error, json = {}) {
	const { message, description, httpCode } = typeof error === 'string' ? { ...json, message: error } : { ...json, ...error };
	return {
		message: String(message),
		...(description && { description: String(description) }),
		...(httpCode && { httpCode: String(httpCode) }),
	};
}

/** An outcome in words. */
export function describeOutcome({ json, errors }) {
	const lines = [...json.map(spaced), ...errors.map(describeError)];
	return lines.length > 0 ? lines.join('\n') : 'nothing';
}

/** JSON with a space between fields, where a narrow column can break the line. */
export function spaced(value) {
	return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}

function describeError({ message, description, httpCode }) {
	return [`Error${httpCode ? ` ${httpCode}` : ''}: ${message}`, description].filter(Boolean).join('\n');
}
