import type { IDataObject, INodeParameters, INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { credentialFor } from '../support/executor/credentialStore';
import { execute } from '../support/executor/execute';
import { loaded } from '../support/executor/nodeTypes';
import { startService } from '../support/executor/startService';
import { type DescribedOperation, everyOperation } from '../support/everyOperation';
import { json } from '../support/recorder';

/** Whether n8n's own words say where a field is sent, or a field of a collection. */
const isMapped = ({ routing, type, options = [] }: INodeProperties): boolean =>
	type === 'collection' ? (options as INodeProperties[]).some(isMapped) : routing?.send !== undefined;

/** A value for a field, of its type; of several countries the first, as n8n has no word for a request for each. */
function valueOf({ type, options = [], placeholder = '' }: INodeProperties): INodeParameters[string] {
	if (type === 'number') return 7;
	if (type === 'boolean') return true;
	if (type === 'resourceLocator') return { __rl: true, mode: 'code', value: 'IT' };
	if (type === 'collection') return valuesOf(options as INodeProperties[]);
	return placeholder.replace('e.g. ', '') || 'text';
}

const valuesOf = (fields: INodeProperties[]): INodeParameters =>
	Object.fromEntries(fields.filter(isMapped).map((field) => [field.name, valueOf(field)]));

/** The node without the code that runs it: n8n's routing executor is left with the description. */
function byDescriptionAlone(baseURL: string): INodeType {
	const { description } = new VoiceAdmin();
	const withoutHook = (property: INodeProperties): INodeProperties => ({
		...property,
		options: (property.options as INodePropertyOptions[]).map(({ routing, ...option }) => ({ ...option, routing: { request: routing?.request } })),
	});
	return loaded({
		description: {
			...description,
			requestDefaults: { baseURL },
			properties: description.properties.map((property) => (property.name === 'operation' ? withoutHook(property) : property)),
		},
	});
}

/** Body and query of the one request for some parameters, to a path that does not matter. */
async function requestOf(described: DescribedOperation, nodeType: (url: string) => INodeType | undefined) {
	const service = await startService((_request, response) => json(response, 200, {}));
	const parameters = { resource: described.resource, operation: described.operation, gatewayId: '12', ...valuesOf(described.fields) };
	const { error } = await execute({ nodeType: nodeType(service.url), parameters, credential: credentialFor(service.url) });
	expect(error).toBeUndefined();
	expect(service.requests).toHaveLength(1);
	const [{ method, target, body }] = service.requests as [(typeof service.requests)[number]];
	return { method, query: target.split('?')[1], body: body === '' ? undefined : (JSON.parse(body) as IDataObject) };
}

test.each(everyOperation().map((each) => [`${each.resource}: ${each.operation}`, each] as const))(
	"%s sends by n8n's routing executor, from its description alone, what the node sends",
	async (_, described) => {
		const byN8n = await requestOf(described, byDescriptionAlone);
		expect(await requestOf(described, () => undefined)).toEqual(byN8n);
		const properties = described.fields.flatMap((field) => (field.type === 'collection' ? (field.options as INodeProperties[]) : [field])).filter(isMapped);
		expect(Object.keys(byN8n.body ?? {}).sort()).toEqual(properties.map(({ routing }) => routing!.send!.property!).sort());
	},
);
