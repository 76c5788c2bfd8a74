import type { ApiRequest } from '../transport/apiRequest';
import type { Failure } from '../transport/failure';

/** The node's "Options". */
export interface RunOptions {
	maxConcurrency: number;
	maxRetries: number;
	/** In seconds. */
	maxWait: number;
	/** Of one request, in seconds. */
	timeout: number;
	dryRun: boolean;
	allowDuplicates?: boolean;
}

/** An item whose parameters are valid. */
export interface ValidItem {
	requests: ApiRequest[];
	options: RunOptions;
}

/** An item that is not sent, or a request that failed. */
export type Failed = { failure: Failure };

/** An item after its check. */
export type CheckedItem = ValidItem | Failed;

/** Which item of a run failed, counted from 0, and why. */
export interface FailedItem extends Failed {
	itemIndex: number;
}

export function isValid(item: CheckedItem): item is ValidItem {
	return !isFailed(item);
}

/** Works for a checked item and for a request's result. */
export function isFailed(each: object): each is Failed {
	return 'failure' in each;
}
