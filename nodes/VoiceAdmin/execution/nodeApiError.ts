import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Failure } from '../transport/failure';

/**
 * n8n's error for a failure, with `code` and `outcome` in its `context`.
 *
 * Of a tool's error, an agent (version 3 in n8n 2.40) tells its model the message alone. That a customer may already
 * exist, which keeps a model from creating it again, is in the description: so there the message has both.
 *
 * @param itemIndex of the item that it is about; none for a poll
 */
export function toNodeApiError(node: INode, { status, code, outcome, ...failure }: Failure, itemIndex?: number): NodeApiError {
	const description = failure.description || undefined;
	// n8n itself tells its tool variants by this.
	const isTool = node.type.endsWith('Tool');
	const message = isTool && description ? `${failure.message}\n\n${description}` : failure.message;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n replaces a message that happens to contain a code such as EPERM.
	Object.assign(error, { message, description });
	Object.assign(error.context, { code, outcome });
	return error;
}
