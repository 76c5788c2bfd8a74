import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { parseRequestOptions, type RequestOptions } from '../parameters/requestOptions';
import { type Failure, failureOfError } from '../transport/failure';
import { time } from '../transport/flow/time';
import type { ApiRequest } from '../transport/request';
import type { N8nContext } from '../transport/sendRequest';
import type { CredentialContext } from './itemCredential';
import { parametersOf, type Shortcuts } from './itemParameters';
import type { RunHistory } from './runHistory';

/** How long items are checked or started before n8n's event loop has a turn, in milliseconds. */
const TURN_EVERY_MS = 20;

/** Checks an item's parameters and makes its requests of them. @throws InvalidParameterError */
export type BuildRequests = (read: (name: string) => unknown) => {
	requests: ApiRequest[];
	options: { maxConcurrency: number; maxRetries: number; maxWait: number; dryRun: boolean };
};

/** What n8n gives a run: of a node with all its items, or of a tool with the one of a call. */
export interface ItemsRun {
	context: N8nContext & CredentialContext & { continueOnFail: () => boolean };
	items: INodeExecutionData[];
	readParameter: (name: string, item: number, options?: { rawExpressions: boolean }) => unknown;
	/** Requests of this attempt and those before it under Retry On Fail: n8n's object for a run outlives an attempt. */
	history: RunHistory;
	/** Shows the user a sentence beside the output; a tool has none. */
	addHint?: (hint: NodeExecutionHint) => void;
}

export type CheckedItem = ReturnType<BuildRequests> & { requestOptions: RequestOptions };
export type Failed = { failure: Failure };

/** Checks the items in order, until the execution is cancelled, or one is not valid that stops the run. */
export async function checkItems({ context, items, readParameter }: ItemsRun, buildRequests: BuildRequests): Promise<Array<CheckedItem | Failed>> {
	const shortcuts: Shortcuts = new Map();
	const checked: Array<CheckedItem | Failed> = [];
	const giveTurn = slices();
	for (const [item, { json }] of items.entries()) {
		await giveTurn();
		if (context.getExecutionCancelSignal?.()?.aborted) break;
		try {
			const read = parametersOf(json, (name, options) => readParameter(name, item, options), shortcuts);
			checked.push({ ...buildRequests(read), requestOptions: parseRequestOptions(read('requestOptions')) });
		} catch (error) {
			checked.push({ failure: failureOfError(error, 'invalid_parameter') });
			if (!context.continueOnFail()) break;
		}
	}
	return checked;
}

export function isFailed(each: object | 'aborted'): each is Failed {
	return typeof each === 'object' && 'failure' in each;
}

export function isValid(item: CheckedItem | Failed): item is CheckedItem {
	return !isFailed(item);
}

/** To be awaited in a loop: gives n8n's event loop a turn when `TURN_EVERY_MS` have passed since the last one. */
export function slices(): () => Promise<void> | undefined {
	let since = time.now();
	return () => (time.now() - since < TURN_EVERY_MS ? undefined : time.sleep(0).then(() => void (since = time.now())));
}
