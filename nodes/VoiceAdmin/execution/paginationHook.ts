import type { DeclarativeRestApiSettings, IExecutePaginationFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { type Failure, failureOfError } from '../transport/failure';
import type { ErrorCode } from '../transport/http/classify';
import type { ApiRequest } from '../transport/request';
import { type RequestContext, type RequestResult, sendWithRetry } from '../transport/sendWithRetry';
import { createOnce } from './createOnce';
import { parametersOf } from './itemParameters';
import { toNodeApiError } from './nodeApiError';
import { type NodeRun, nodeRunOf } from './nodeRun';
import { dryRunItem, errorItem, outputItems } from './outputItems';
import { isRunAborted } from './runAborted';

/** Checks an item's parameters and makes its requests of them; synchronous. @throws InvalidParameterError */
type BuildRequests = (read: (name: string) => unknown) => {
	requests: ApiRequest[];
	options: { maxConcurrency: number; maxRetries: number; dryRun: boolean };
};

/** n8n's name for a function that is handed the whole of an item's request. */
type PaginationHook = (this: IExecutePaginationFunctions, given: DeclarativeRestApiSettings.ResultOptions) => Promise<INodeExecutionData[]>;

const RUN_ABORTED: Failure = {
	message: 'Not sent: n8n stopped before reading all items',
	description: '',
	code: 'invalid_parameter',
	outcome: 'not_sent',
};

/**
 * The hook that sends an item's requests. n8n calls it for every item (of a batch) before the first request leaves, and
 * all up to the first `await` happens in that call: so an item that is not valid stops the whole run before anything is
 * sent, unless the node is set to continue on error.
 */
export function createPaginationHook(buildRequests: BuildRequests): PaginationHook {
	return async function (this, { options }) {
		const run = nodeRunOf(this);
		const item = this.getItemIndex();
		const continues = this.continueOnFail();
		let phase: ErrorCode = 'invalid_parameter';
		let results: Array<RequestResult<INodeExecutionData[]>>;
		try {
			const built = buildRequests(parametersOf(this, run.shortcuts));
			phase = 'invalid_credential';
			// The executor has resolved what may be a string in a description.
			results = await sendAll(this, run, built, options as IHttpRequestOptions);
		} catch (error) {
			results = [{ failure: failureOfError(error, phase) }];
			if (!continues) run.abort();
			// n8n still hands over the other items. If it fails at one of them, nobody catches an error of this one.
			await Promise.resolve();
			if (!continues && !run.isBatchComplete(item)) return [];
		}
		return results.flatMap((result) => {
			if (result === 'aborted') return [];
			if ('value' in result) return result.value;
			if (continues || result.failure === RUN_ABORTED) return [errorItem(result.failure, item)];
			throw toNodeApiError(this.getNode(), result.failure, item);
		});
	};
}

/** @throws InvalidCredentialError; n8n's error when there is no credential */
async function sendAll(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	{ requests, options }: ReturnType<BuildRequests>,
	connection: IHttpRequestOptions,
): Promise<Array<RequestResult<INodeExecutionData[]>>> {
	const { maxConcurrency, maxRetries, dryRun } = options;
	const item = context.getItemIndex();
	const stopsOnFailure = !context.continueOnFail();
	const send = async (request: ApiRequest): Promise<RequestResult<INodeExecutionData[]>> => {
		const credential = await run.credentials.of(context);
		if (await isRunAborted(context, run)) {
			run.abort();
			// Nobody reads it; should that ever be wrong, it is to be seen.
			return { failure: RUN_ABORTED };
		}
		if (dryRun) return { value: [dryRunItem(request, credential, item)] };
		const sender: RequestContext = { context, credential, connection, run: run.limitFor(maxConcurrency), maxRetries, stopsOnFailure };
		// Should anything fail unforeseen, it may have been sent.
		return await sendWithRetry(sender, request, (response) => outputItems(response, request, item)).catch((error: unknown) => ({
			failure: failureOfError(error, 'invalid_response'),
		}));
	};
	return await Promise.all(
		requests.map(async (request) => await (dryRun ? send(request) : createOnce(run, item, request, stopsOnFailure, async () => await send(request)))),
	);
}
