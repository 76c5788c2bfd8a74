import { NodeApiError } from 'n8n-workflow';
import type { INode, INodeExecutionData } from 'n8n-workflow';

import { connectionFailure } from './connectionErrors';
import { serviceUrl, type VoiceAdminCredential } from '../auth/credential';
import { apiMessage, describeReply, errorBody } from './describeResponse';
import { type Excerpt, excerptWithout } from './excerpt';
import { LoginError } from '../auth/login';
import { readable } from './readable';
import { redact } from './redact';
import type { Reply } from './response';
import type { ApiRequest } from './request';
import { retryAfterMs } from '../flow/retryPolicy';

/** An error in the words that a user of the node reads. */
export interface Failure {
	message: string;
	/** Lines of explanation; '' for none. */
	description: string;
	/** HTTP status, where the service answered. */
	status?: number;
	/** The service answered in the API's error format: no proxy and no wrong address did in its place. */
	isOfApi?: boolean;
	/** The request was a create, and whether the record exists cannot be told. */
	inDoubt?: boolean;
}

/** What is known about the request that failed. */
export interface Sent {
	request: ApiRequest;
	/** How often it was sent. */
	tries: number;
	credential: VoiceAdminCredential;
	/** Access token that it was last sent with. */
	token: string;
}

/** Longest text of the details, in characters. */
const MAX_DETAILS = 2_000;

/** The service answered with an error status, a redirect, or a body that cannot be read. */
export function failureOfReply(reply: Reply, sent: Sent): Failure {
	const { credential } = sent;
	const excerpt = excerptWithout(credential, sent.token);
	const inDoubt = sent.request.creates !== undefined && mayHaveBeenDone(reply);
	const words = apiMessage(reply, excerpt);
	const message = words || sentence(describeReply(reply, excerpt));
	const errors = excerpt(readable(errorBody(reply).errors), MAX_DETAILS);
	const description = joined([
		errors === message ? '' : errors,
		hint(reply, credential, excerpt) || (errors === '' ? 'The service gave no details' : ''),
		inDoubt ? mayExist(sent.request) : '',
		context(sent),
	]);
	return {
		message,
		description,
		status: reply.status,
		isOfApi: words !== '' && 'errors' in errorBody(reply),
		inDoubt,
	};
}

/**
 * Whether a request that failed may have been carried out: the reply can't be read, or is an error of the service or
 * of a proxy before it. A proxy gives 503 also when the connection broke after the request was sent; with
 * `Retry-After` it is an answer of who was not willing to take the request.
 */
function mayHaveBeenDone({ status, headers }: Reply): boolean {
	if (status < 300) return true;
	return status >= 500 && !(status === 503 && retryAfterMs(headers['retry-after']) !== undefined);
}

/**
 * There was no reply: the login failed, the connection did, or n8n itself before the request had left.
 *
 * @param hasLeft whether the request was on its way
 */
export function failureOfError(error: unknown, sent: Sent, hasLeft: boolean): Failure {
	const { credential } = sent;
	if (error instanceof LoginError) {
		return { message: error.message, description: context(sent), status: error.httpStatus };
	}
	if (!hasLeft) {
		const { message, description } = failureOf(error);
		const excerpt = excerptWithout(credential, sent.token);
		return { message: excerpt(message, MAX_DETAILS), description: joined([excerpt(description, MAX_DETAILS), 'The request was not sent', context(sent)]) };
	}
	const { words, mayHaveArrived } = connectionFailure(error, serviceUrl(credential));
	const inDoubt = sent.request.creates !== undefined && mayHaveArrived;
	return {
		message: sentence(redact(words, credential, sent.token)),
		description: joined([inDoubt ? mayExist(sent.request) : '', context(sent)]),
		inDoubt,
	};
}

/** A failure from an error that was thrown before or instead of sending. */
export function failureOf(error: unknown): Failure {
	const { message, messages, description } = error as { message?: unknown; messages?: unknown; description?: unknown };
	// n8n words an error anew that has a code such as ECONNRESET, and keeps what it was.
	const words = [Array.isArray(messages) ? messages[0] : undefined, message].find((text) => typeof text === 'string' && text !== '');
	return {
		message: (words as string | undefined) ?? 'The request could not be made',
		description: typeof description === 'string' ? description : '',
	};
}

/** The failure of a create that is in doubt, told again instead of sending the create again. */
export function notSentAgain(failure: Failure): Failure {
	const words = 'Retry On Fail did not send it again';
	return failure.description.includes(words)
		? failure
		: { ...failure, description: joined([failure.description, words]) };
}

/**
 * n8n's error for a failure, with n8n's own rewording of messages undone.
 *
 * Of a tool's error, an agent (version 3 in n8n 2.40) tells its model the message alone. That a customer may
 * exist nevertheless, which is what keeps a model from creating it again, is in the description: so there
 * the message has both.
 *
 * @param itemIndex of the item that it is about; none for a poll
 */
export function asNodeApiError(node: INode, failure: Failure, itemIndex?: number): NodeApiError {
	const { description, status } = failure;
	const message = isTool(node) && description !== '' ? `${failure.message}\n\n${description}` : failure.message;
	const error = new NodeApiError(
		node,
		{ message },
		{
			message,
			description: description || undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
		},
	);
	// n8n replaces a message that happens to contain a code such as EPERM; these are the API's words.
	error.message = message;
	error.description = description || undefined;
	return error;
}

/**
 * An item for n8n's error output: under "Continue" and "Continue (using error output)".
 *
 * `error` is the item's only field, by which n8n knows it as one that failed.
 */
export function asErrorItem(failure: Failure, itemIndex: number): INodeExecutionData {
	const { message, description, status } = failure;
	return {
		json: {
			error: {
				message,
				description: description || null,
				httpCode: status === undefined ? null : String(status),
			},
		},
		pairedItem: { item: itemIndex },
	};
}

/** Whether a node is n8n's tool variant, as n8n itself tells it. */
function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

function hint(reply: Reply, credential: VoiceAdminCredential, excerpt: Excerpt): string {
	if (reply.status >= 300 && reply.status < 400) {
		const location = typeof reply.headers.location === 'string' ? reply.headers.location : '';
		const target = location === '' ? '' : ` (to ${withoutQuery(excerpt(location, 200))})`;
		return `The service redirects${target}; the access token is sent to the base URL of the credential only, ${serviceUrl(credential)}. Check the base URL`;
	}
	if (reply.status === 401) {
		return 'The service does not accept the access token for this request. If it accepts it for none, check "Token Header Name" and "Token Prefix" in the credential';
	}
	if (reply.status === 403) return 'The API key of this credential lacks the permission for this operation';
	return '';
}

function mayExist({ creates }: ApiRequest): string {
	return `The ${creates} may have been created nevertheless: look for it before you send it again`;
}

function context({ request, tries }: Sent): string {
	return joined([request.label ?? '', tries > 1 ? `Tried ${tries} times` : '']);
}

/** A line for each part; several end in a full stop, because n8n's error panel shows them in one line. */
function joined(parts: string[]): string {
	const given = parts.filter((part) => part !== '');
	if (given.length < 2) return given.join('');
	return given.map((part) => (/[.!?…)]$/.test(part) ? part : `${part}.`)).join('\n');
}

function sentence(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function withoutQuery(location: string): string {
	return location.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

