import type { Field, Operation } from '../../nodes/VoiceAdmin/operations/operation';

// What n8n has words for and the node does not read is no description. `npm run typecheck` is the test: it fails where a line
// below a directive compiles.

const send = { type: 'body', property: 'a' } as const;
const field = { displayName: 'A', name: 'a', type: 'string', default: '' } as const;
const request = { method: 'GET', url: '/' } as const;
const entry = { name: 'A', value: 'a' };

export const sent: Field[] = [
	{ ...field, routing: { send } },
	// @ts-expect-error a value is parsed, and nothing else
	{ ...field, routing: { send: { ...send, preSend: [] } } },
	// @ts-expect-error it is the value that is sent
	{ ...field, routing: { send: { ...send, value: '1' } } },
	// @ts-expect-error the API's names have no dots
	{ ...field, routing: { send: { ...send, propertyInDotNotation: true } } },
	// @ts-expect-error the node pages nothing
	{ ...field, routing: { send: { ...send, paginate: true } } },
	// @ts-expect-error a request has no header but the node's
	{ ...field, routing: { send, request: { headers: {} } } },
	// @ts-expect-error outputItems gives the output
	{ ...field, routing: { send, output: { postReceive: [] } } },
	// @ts-expect-error in a collection
	{ ...field, type: 'collection', options: [{ ...field, routing: { send, output: { postReceive: [] } } }] },
	// @ts-expect-error a row of a list is no field of the request
	{ ...field, type: 'fixedCollection', options: [{ displayName: 'A', name: 'a', values: [{ ...field, routing: { send } }] }] },
	// @ts-expect-error the field is sent, whatever was chosen
	{ ...field, type: 'options', options: [{ ...entry, routing: { send } }] },
];

export const options: Array<Operation['option']> = [
	{ ...entry, routing: { request } },
	// @ts-expect-error a request has no query but its fields
	{ ...entry, routing: { request: { ...request, qs: {} } } },
	// @ts-expect-error nor a header
	{ ...entry, routing: { request: { ...request, headers: {} } } },
	// @ts-expect-error nor a body
	{ ...entry, routing: { request: { ...request, body: {} } } },
	// @ts-expect-error the address is the credential's
	{ ...entry, routing: { request: { ...request, baseURL: '/' } } },
	// @ts-expect-error outputItems gives the output
	{ ...entry, routing: { request, output: { postReceive: [] } } },
	// @ts-expect-error fields are sent, and operations are not
	{ ...entry, routing: { request, send: { preSend: [] } } },
	// @ts-expect-error the node pages nothing
	{ ...entry, routing: { request, operations: { pagination: [] } } },
];
