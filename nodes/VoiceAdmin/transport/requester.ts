import type { FunctionsBase, IExecutePaginationFunctions, RequestHelperFunctions } from 'n8n-workflow';

/**
 * What n8n lends a node to send requests with: to an action for each of its items, to a trigger for each
 * of its polls.
 */
export interface Requester
	extends Pick<FunctionsBase, 'getCredentials'>,
		// A poll can't be cancelled.
		Partial<Pick<IExecutePaginationFunctions, 'getExecutionCancelSignal'>> {
	helpers: RequestHelperFunctions;
}
