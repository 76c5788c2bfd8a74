import type { ServerResponse } from 'node:http';

import { ApiError, errorBody } from './apiError';

/** What is to be sent back. Without a body the reply is empty. */
export interface Reply {
	status: number;
	headers?: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
}

/** The reply of a refusal: its status with the error body of the API. */
export function replyOf(error: ApiError): Reply {
	return {
		status: error.statusCode,
		headers: error.headers,
		body: errorBody(error.statusCode, error.message, error.details),
	};
}

/**
 * Sends the reply and ends the response.
 * @param edit makes the JSON that is sent from that of the body
 */
export function send(response: ServerResponse, { status, headers, body }: Reply, edit = (json: string) => json): void {
	if (body === undefined) {
		// 204 and 304 carry no Content-Length by the HTTP standard
		response.writeHead(status, status === 204 || status === 304 ? headers : { 'Content-Length': '0', ...headers }).end();
		return;
	}
	const text = edit(JSON.stringify(body));
	response
		.writeHead(status, {
			'Content-Type': 'application/json; charset=utf-8',
			'Content-Length': String(Buffer.byteLength(text)),
			...headers,
		})
		.end(text);
}
