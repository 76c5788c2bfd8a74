import { isBlank } from '../parameters/invisibleCharacters';
import { boolean, integerBetween } from '../parameters/scalars';
import type { Field, Operation } from './operation';

const MAX_CONCURRENCY_FIELD: Field = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	...integerField(1, 500),
	default: 200,
	description:
		'Maximum number of requests that this node sends at the same time. In one n8n process, all executions with the same API key also share a limit, which adapts to the load that the service can take.',
};

const MAX_RETRIES_FIELD: Field = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	...integerField(0, 10),
	default: 3,
	description:
		'How many times to retry a request that gets a 408 or 425, or fails while the service responds to others. Waiting for the service or for a new access token does not count.',
};

const MAX_WAIT_FIELD: Field = {
	displayName: 'Max Wait',
	name: 'maxWait',
	...integerField(0, 600),
	default: 120,
	description:
		"Maximum time, in seconds, that requests wait while the service is unavailable or limits requests. If the service has not responded to this key since n8n started, as with a wrong base URL, the wait ends after 10 seconds. The first valid item's value applies to all.",
};

const TIMEOUT_FIELD: Field = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	...integerField(1, 3_600),
	default: 60,
	description:
		'How long to wait for the response to a request. A change without a response may have been carried out, and its outcome is unknown.',
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
		'Whether to check the items and return the requests, without sending them. Adding this option turns it on.',
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

/** The node, unlike the trigger, takes several items. */
const READ_MAX_CONCURRENCY_FIELD = {
	...MAX_CONCURRENCY_FIELD,
	description: `${MAX_CONCURRENCY_FIELD.description} The first valid item's value applies to all.`,
};

/** With 200, an outage of a second left up to 100 customers with an unknown outcome, each of which a person has to look up. */
const CHANGE_MAX_CONCURRENCY_FIELD = {
	...READ_MAX_CONCURRENCY_FIELD,
	default: 25,
	description: `${READ_MAX_CONCURRENCY_FIELD.description} If the service fails, so many requests may have an unknown outcome: set it higher only for speed.`,
};

const NODE_MAX_RETRIES_FIELD = {
	...MAX_RETRIES_FIELD,
	description: `${MAX_RETRIES_FIELD.description} A create is sent again only after a 429, if its access token was not accepted, or if no connection could be opened.`,
};

export const optionsOf = (operation: Operation): Field[] => [
	DRY_RUN_FIELD,
	onlyReads(operation) ? READ_MAX_CONCURRENCY_FIELD : CHANGE_MAX_CONCURRENCY_FIELD,
	NODE_MAX_RETRIES_FIELD,
	MAX_WAIT_FIELD,
	TIMEOUT_FIELD,
	...(operation.additionalOptions ?? []),
];

const onlyReads = ({ option, creates }: Operation): boolean =>
	option.routing.request.method === 'GET' && creates === undefined;

export function optionsField(options: Field[]): Field {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	};
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
