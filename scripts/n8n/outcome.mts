type Json = Record<string, unknown>;

/** One run of a node, as in an execution's `runData`. */
export interface NodeRun {
	data?: { main?: Array<Array<{ json: Json; error?: unknown; pairedItem?: { item?: number } }> | null> };
	error?: unknown;
}

/** What came out of a node: the items, and the errors as n8n shows them to the user. */
export interface Outcome {
	json: Json[];
	errors: Array<{ message: string; description?: string; httpCode?: string }>;
}

/** @param runs the node's entry in `runData` */
export function outcomeOf(runs: NodeRun[] | undefined): Outcome {
	const outcome: Outcome = { json: [], errors: [] };
	for (const run of runs ?? []) {
		if (run.error) outcome.errors.push(readError(run.error));
		for (const item of (run.data?.main ?? []).flatMap((output) => output ?? [])) {
			const error = item.error ?? item.json.error;
			if (error) outcome.errors.push(readError(error, item.json));
			else outcome.json.push(item.json);
		}
	}
	return outcome;
}

/** n8n writes an error into an item as its message alone or as an object, by version and kind of error. */
function readError(error: unknown, json: Json = {}): Outcome['errors'][number] {
	const { message, description, httpCode } = { ...json, ...(typeof error === 'object' ? error : { message: error }) } as Json;
	return {
		message: String(message),
		...(description ? { description: String(description) } : {}),
		...(httpCode ? { httpCode: String(httpCode) } : {}),
	};
}
