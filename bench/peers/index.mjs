import { floor } from './floor.mjs';
import { httpRequest } from './http-request.mjs';
import { plain } from './plain.mjs';
import { voiceAdmin } from './voice-admin.mjs';

/**
 * What a user would take, or n8n's floor, and its node in a workflow. The items have `id` (1, 2, …) and `iso` (two letters).
 * @typedef {'get' | 'setPremium' | 'add'} Operation
 * @typedef {object} NodeSettings
 * @property {string} url of the service
 * @property {string} token an access token that the service takes, for a node without a credential
 * @property {string} [countries] codes for one item, instead of its `iso`
 * @property {number} [inFlight] most requests in flight, where the node has such an option
 * @property {{ batchSize: number, batchInterval: number }} [batching] n8n's own; batchInterval: ms
 * @typedef {{ type: string, typeVersion: number, parameters: object }} MeasuredNode
 * @typedef {{ name: string, credentialType?: string, node: (operation: Operation, settings: NodeSettings) => MeasuredNode }} Peer
 *
 * @type {Record<string, Peer>}
 */
export const PEERS = { voiceAdmin, httpRequest, plain, floor };
