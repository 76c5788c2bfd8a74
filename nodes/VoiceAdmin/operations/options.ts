import { isBlank } from '../parameters/invisibleCharacters';
import { boolean, integerBetween } from '../parameters/scalars';
import type { Field, Operation } from './operation';

const MAX_CONCURRENCY_FIELD: Field = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	...integerField(1, 500),
	default: 200,
	description:
		'Maximum number of requests in flight at once. Executions with the same API key also share a limit that adapts to the service.',
};

/** The beginning of each description of Max Retries. */
export const WHAT_IS_RESENT = 'How often to resend a request that fails while others succeed.';

const MAX_RETRIES_FIELD: Field = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	...integerField(0, 10),
	default: 3,
	description: `${WHAT_IS_RESENT} In outages, Max Wait decides, unless this is 0.`,
};

const MAX_WAIT_FIELD: Field = {
	displayName: 'Max Wait (Seconds)',
	name: 'maxWait',
	...integerField(0, 600),
	default: 120,
	description: 'How long requests wait while the service is unavailable or limits requests, before they fail',
};

const TIMEOUT_FIELD: Field = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	...integerField(1, 3_600),
	default: 60,
	description: 'How long to wait for the response to a request',
};

const DRY_RUN_FIELD: Field = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	// Adding the option means wanting it, and an empty expression must not send anything.
	default: true,
	whenAbsent: false,
	parse: boolean,
	description:
		"Whether to check the items' values and return the requests, without sending them. Your provider may still reject them. Adding this option turns it on.",
};

/** The part of a field that holds a whole number within bounds, for the editor and the parser. */
function integerField(minValue: number, maxValue: number) {
	return {
		type: 'number',
		typeOptions: { minValue, maxValue, numberPrecision: 0 },
		parse: integerBetween(minValue, maxValue),
	} as const;
}

export const SHARED_OPTIONS = [MAX_CONCURRENCY_FIELD, MAX_RETRIES_FIELD];

/** With 200, an outage of a second left up to 100 customers with an unknown outcome, each of which a person has to look up. */
const CHANGE_MAX_CONCURRENCY_FIELD = {
	...MAX_CONCURRENCY_FIELD,
	default: 25,
	description:
		'Maximum number of requests in flight at once. If the service goes away, up to this many changes may have an unknown outcome.',
};

const CHANGE_MAX_RETRIES_FIELD = {
	...MAX_RETRIES_FIELD,
	description: `${WHAT_IS_RESENT} With 0, one that may have been carried out isn't resent.`,
};

const CREATE_MAX_RETRIES_FIELD = {
	...MAX_RETRIES_FIELD,
	description: `${WHAT_IS_RESENT} Creates are resent only if they certainly weren't carried out.`,
};

const CHANGE_TIMEOUT_FIELD = {
	...TIMEOUT_FIELD,
	description: `${TIMEOUT_FIELD.description}. If it's over, a change may still have been carried out.`,
};

export function optionsOf({ option, creates, additionalOptions = [] }: Operation): Field[] {
	const onlyReads = option.routing.request.method === 'GET' && creates === undefined;
	const maxConcurrency = onlyReads ? MAX_CONCURRENCY_FIELD : CHANGE_MAX_CONCURRENCY_FIELD;
	const maxRetries = onlyReads ? MAX_RETRIES_FIELD : creates ? CREATE_MAX_RETRIES_FIELD : CHANGE_MAX_RETRIES_FIELD;
	const timeout = onlyReads ? TIMEOUT_FIELD : CHANGE_TIMEOUT_FIELD;
	return [DRY_RUN_FIELD, maxConcurrency, maxRetries, MAX_WAIT_FIELD, timeout, ...additionalOptions].sort((a, b) =>
		a.displayName.localeCompare(b.displayName, 'en'),
	);
}

/** Parses the collection; an empty value means its default. @throws InvalidParameterError */
export function parseOptions<Options>(options: Field[], given: unknown): Options {
	const values = (given ?? {}) as Record<string, unknown>;
	const parsed = options.map(({ displayName, name, default: defaultValue, whenAbsent = defaultValue, parse }) => {
		if (!Object.hasOwn(values, name)) return [name, whenAbsent];
		const value = isBlank(values[name]) ? defaultValue : values[name];
		return [name, parse ? parse(displayName, value) : value];
	});
	// The caller knows what the parsers of its fields give.
	return Object.fromEntries(parsed) as Options;
}
