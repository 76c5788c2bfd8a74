import type { OpenAPIBackend } from 'openapi-backend';

import type { Reply } from './reply';

/**
 * The reply of an operation that openapi.yaml describes and that has no behaviour in operations.ts: the example of its
 * success, whatever was asked.
 */
export function exampleReply(openApi: OpenAPIBackend, operationId: string): Reply {
	const { status, mock } = openApi.mockResponseForOperation(operationId);
	const response = openApi.getOperation(operationId)?.responses?.[status];
	// For a response without a body, such as a 204, openapi-backend makes up an empty object.
	return response && 'content' in response ? { status, body: mock } : { status };
}
