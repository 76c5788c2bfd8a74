import type { IHttpRequestMethods, INodePropertyRouting } from 'n8n-workflow';

import { carry } from '../execution/paginationHook';
import type { BuildRequests } from './http/request';

/**
 * The routing of an operation: where its requests go, and how they are built and carried.
 *
 * `send.paginate` with a function is how n8n's routing executor hands the whole of an item's request
 * to the node. There is no expression in it, as n8n evaluates each one for every item.
 *
 * @param path below the base URL, beginning with a slash
 */
export function route(
	method: IHttpRequestMethods,
	path: string,
	build: BuildRequests,
): INodePropertyRouting {
	return {
		request: { method, url: path },
		send: { paginate: true },
		operations: { pagination: carry(build) },
	};
}
