import { boolean } from '../parameters/boolean';
import { isBlank, Refusal } from '../parameters/invalidParameterError';
import { gatewayRequest } from '../operations/dssGateway/gatewayRequest';
import type { ApiRequest, ReadParameter } from '../transport/http/request';

/** Gateways that one trigger watches at the most: what it remembers of each is kept in n8n's database. */
const MAX_GATEWAYS = 500;

const IDS_ACCEPTED = 'Give the identifiers of gateways, separated by commas, e.g. 12, 15';
const FIELDS_ACCEPTED = 'Give the names of fields, separated by commas, e.g. terminationUri, name';

/** What a trigger looks at. */
export interface Watched {
	/** The request for each gateway, by its id, in the order given. */
	gateways: Map<string, ApiRequest>;
	/** '' for none. */
	organizationId: string;
	/** Fields whose change counts, in alphabetical order: in another one they are the same. */
	fields: 'all' | string[];
	emitOnFirstPoll: boolean;
}

/** Reads and checks the trigger's parameters. @throws Refusal */
export function watchedBy(read: ReadParameter): Watched {
	const organizationId = organizationOf(read('organizationId'));
	const ids = listOf('Gateway IDs', read('gatewayIds'), IDS_ACCEPTED);
	if (ids.length > MAX_GATEWAYS) {
		throw new Refusal('Gateway IDs', ids.length, `Give at most ${MAX_GATEWAYS} gateways; use a second trigger for more`);
	}
	const requestFor = (id: string) => ({ ...gatewayRequest(id, organizationId, 'Gateway IDs'), label: `Gateway ${id}` });
	return {
		gateways: new Map(ids.map((id) => [id, requestFor(id)])),
		organizationId,
		fields: fieldsOf(read('watch'), read),
		emitOnFirstPoll: boolean('Emit on First Poll', read('emitOnFirstPoll')),
	};
}

function organizationOf(given: unknown): string {
	if (isBlank(given)) return '';
	if (typeof given === 'number') return String(given);
	if (typeof given !== 'string') throw new Refusal('Organization ID', given, 'Give the identifier as the service shows it, e.g. 10');
	return given.trim();
}

function fieldsOf(watch: unknown, read: ReadParameter): 'all' | string[] {
	if (watch === 'selected') return listOf('Fields', read('fields'), FIELDS_ACCEPTED).sort();
	if (watch === 'terminationUri') return ['terminationUri'];
	if (watch === 'all') return 'all';
	throw new Refusal('Watch', watch, 'Give all, terminationUri or selected');
}

/** Texts of a list, each once: given as a list, or separated by commas. */
function listOf(parameter: string, given: unknown, accepted: string): string[] {
	const parts: unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? given.split(/[,\n]/) : [given];
	// In a text that a person has typed, these are separators that are not ours; in a list they may belong to the name.
	const odd = Array.isArray(given) ? undefined : parts.find((part) => typeof part === 'string' && /\S[\s;]+\S|;/.test(part));
	if (odd !== undefined) throw new Refusal(parameter, odd, accepted);
	const texts = parts.filter((part) => !isBlank(part)).map((part) => {
		if (typeof part === 'number' && Number.isSafeInteger(part)) return String(part);
		if (typeof part !== 'string') throw new Refusal(parameter, part, accepted);
		return part.trim();
	});
	if (texts.length === 0) throw new Refusal(parameter, undefined, accepted);
	return [...new Set(texts)];
}
