import type { Field, Operation } from '../../nodes/VoiceAdmin/operations/operation';

// What n8n has words for and the node does not read is no description. `npm run typecheck` is the test: it fails where a line
// below a directive compiles.

const send = { type: 'body', property: 'a' } as const;
const field = { displayName: 'A', name: 'a', type: 'string', default: '' } as const;
const list = { displayName: 'A', name: 'a' };
const request = { method: 'GET', url: '/' } as const;
const entry = { name: 'A', value: 'a' };

export const sent: Field[] = [
	{ ...field, routing: { send } },
	// @ts-expect-error a value is parsed, and nothing else
	{ ...field, routing: { send: { ...send, preSend: [] } } },
	// @ts-expect-error outputItems gives the output
	{ ...field, routing: { send, output: { postReceive: [] } } },
	// @ts-expect-error in a collection
	{ ...field, type: 'collection', options: [{ ...field, routing: { send, output: { postReceive: [] } } }] },
	// @ts-expect-error a row of a list is no field of the request
	{ ...field, type: 'fixedCollection', options: [{ ...list, values: [{ ...field, routing: { send } }] }] },
	// @ts-expect-error the field is sent, whatever was chosen
	{ ...field, type: 'options', options: [{ ...entry, routing: { send } }] },
];

export const options: Array<Operation['option']> = [
	{ ...entry, routing: { request } },
	// @ts-expect-error a request has no query but its fields
	{ ...entry, routing: { request: { ...request, qs: {} } } },
	// @ts-expect-error the node pages nothing
	{ ...entry, routing: { request, operations: { pagination: [] } } },
];
