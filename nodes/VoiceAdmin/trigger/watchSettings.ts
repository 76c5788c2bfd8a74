import type { ReadParameter } from '../execution/itemParameters';
import { getDssGateway } from '../operations/dssGateway/get';
import { buildRequests } from '../operations/buildRequests';
import { parseOptions } from '../operations/options';
import { identifier } from '../parameters/identifier';
import { InvalidParameterError } from '../parameters/invalidParameterError';
import { isBlank, visibleText } from '../parameters/invisibleCharacters';
import type { ApiRequest } from '../transport/apiRequest';
import { GATEWAY_EVENTS, type GatewayEvent, TRIGGER_OPTIONS } from './properties';

/** Per trigger: their state is stored in n8n's database. */
const MAX_GATEWAYS = 500;

const ACCEPTED_IDS = 'Enter gateway IDs, separated by commas, e.g. 1, 12';
const ACCEPTED_EVENTS = `Select at least one event (in an expression: ${GATEWAY_EVENTS.join(', ')})`;
const ACCEPTED_FIELDS = 'Enter field names, separated by commas, e.g. terminationUri, name';

/** What a trigger watches, and how. */
export interface WatchSettings {
	/** By gateway ID, in the order given. */
	requests: Map<string, ApiRequest>;
	/** '' for none. */
	organizationId: string;
	/** Watched fields, sorted, so that their order doesn't matter. */
	fields: 'all' | string[];
	events: GatewayEvent[];
	emitOnFirstPoll: boolean;
	maxConcurrency: number;
	maxRetries: number;
}

/** Parses the trigger's parameters. @throws InvalidParameterError */
export function parseWatchSettings(read: ReadParameter): WatchSettings {
	const given = read('organizationId');
	const organizationId = isBlank(given) ? '' : String(identifier('Organization ID', given));
	const ids = parseList('Gateway IDs', read('gatewayIds'), ACCEPTED_IDS).map((id) =>
		String(identifier('Gateway IDs', id)),
	);
	if (ids.length > MAX_GATEWAYS) {
		const accepted = `Enter at most ${MAX_GATEWAYS}, and use a second trigger for the others`;
		throw new InvalidParameterError('Gateway IDs', ids, accepted, `has ${ids.length} gateways`);
	}
	const options = parseOptions<Pick<WatchSettings, 'maxConcurrency' | 'maxRetries' | 'emitOnFirstPoll'>>(
		TRIGGER_OPTIONS,
		read('options'),
	);
	return {
		...options,
		requests: new Map(ids.map((id) => [id, gatewayRequest(id, organizationId)])),
		organizationId,
		fields: parseWatchedFields(read('watch'), read),
		events: parseEvents(read('events')),
	};
}

function gatewayRequest(id: string, organizationId: string): ApiRequest {
	const parameters: Record<string, unknown> = { gatewayId: id, organizationId };
	return buildRequests(getDssGateway, (name) => parameters[name]).requests[0]!;
}

function parseWatchedFields(watch: unknown, read: ReadParameter): 'all' | string[] {
	if (watch === 'selected') return parseList('Fields', read('fields'), ACCEPTED_FIELDS).sort();
	if (watch === 'terminationUri') return ['terminationUri'];
	if (watch === 'all') return 'all';
	throw new InvalidParameterError('Watch', watch, 'Enter all, terminationUri or selected');
}

function parseEvents(given: unknown): GatewayEvent[] {
	return parseList('Trigger On', given, ACCEPTED_EVENTS).map((name) => {
		const event = GATEWAY_EVENTS.find((each) => each === name);
		if (!event) throw new InvalidParameterError('Trigger On', name, ACCEPTED_EVENTS);
		return event;
	});
}

/** Parses a list, or text separated by commas or line breaks, without duplicates. */
function parseList(parameter: string, given: unknown, accepted: string): string[] {
	const entries: unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? given.split(/[,\n]/) : [given];
	// In typed text, these are other separators; in a list, they may belong to the name.
	const malformed = Array.isArray(given)
		? undefined
		: entries.find((entry) => typeof entry === 'string' && /\S[\s;]+\S|;/.test(entry));
	if (malformed !== undefined) throw new InvalidParameterError(parameter, malformed, accepted);
	const texts = entries
		.filter((entry) => !isBlank(entry))
		.map((entry) => {
			if (typeof entry === 'number' && Number.isSafeInteger(entry)) return String(entry);
			if (typeof entry !== 'string') throw new InvalidParameterError(parameter, entry, accepted);
			return visibleText(entry);
		});
	if (texts.length === 0) throw new InvalidParameterError(parameter, undefined, accepted);
	return [...new Set(texts)];
}
