import { NodeApiError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { describeFailure, type Failure } from './failure';
import { isTool } from './n8nInternals';

/**
 * n8n's error for a failure, with `code` and `outcome` in its `context`. An agent (version 3 in n8n 2.40) tells its model only a
 * tool's message, so that includes the description: a customer may already exist.
 */
export function toNodeApiError(node: INode, failure: Failure, itemIndex?: number): NodeApiError {
	const { status, code, outcome } = failure;
	const described = describeFailure(failure);
	const description = described.description || undefined;
	const message = isTool(node) && description ? `${described.message}\n\n${description}` : described.message;
	const httpCode = status === undefined ? undefined : String(status);
	const error = new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n replaces a message that happens to contain a code such as EPERM, and shows a description as HTML, without what looks like a tag.
	Object.assign(error, { message, description: description?.replaceAll('<', '‹').replaceAll('>', '›') });
	Object.assign(error.context, { code, outcome });
	return error;
}
