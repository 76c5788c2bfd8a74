import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { deliver, type Traveller } from '../transport/http/sendWithRetry';
import { asErrorItem, asNodeApiError, type Failure, failureOf, notSentAgain } from '../transport/http/errors';
import { isGivenUp } from './runAborted';
import { parametersOf } from './itemParameters';
import { itemsOf } from './outputItems';
import type { Outcome } from '../transport/outcome';
import type { Reply } from '../transport/http/response';
import type { ApiRequest, BuildRequests } from '../transport/http/request';
import { type Created, runOf } from './nodeRun';
import { settingsOf } from '../transport/settings';

const GIVEN_UP: Failure = {
	message: 'Not sent, because n8n did not hand over all items of this run',
	description: '',
};

/** n8n's name for a function that is handed the whole of an item's request. */
type PaginationHook = (
	this: IExecutePaginationFunctions,
	given: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/**
 * Makes the hook by which an operation's requests travel.
 *
 * n8n calls it for every item (of a batch) before the first request leaves, and everything up to the
 * first `await` happens in that call: so an item that is refused stops the whole run before anything
 * is sent, unless the node is set to continue on error.
 */
export function carry(build: BuildRequests): PaginationHook {
	return async function (this, { options }) {
		const { attempt, created } = runOf(this);
		const continues = this.continueOnFail();
		let outcomes: Array<Outcome<INodeExecutionData[]>>;
		try {
			const read = parametersOf(this, attempt.shortcuts);
			const traveller: Traveller = {
				requester: this,
				attempt,
				settings: settingsOf(read),
				stopsOnError: !continues,
				isGivenUp: async () => await isGivenUp(this, attempt),
				// The executor has resolved what may be a string in a description.
				options: options as IHttpRequestOptions,
			};
			outcomes = await Promise.all(
				build(read).map((request) => deliverOnce(traveller, this.getItemIndex(), request, created)),
			);
		} catch (error) {
			outcomes = [{ failure: failureOf(error) }];
			if (!continues) attempt.stop();
			// n8n still hands over the others. If it fails at one of them, nobody is left to take an error.
			await Promise.resolve();
			if (!continues && !attempt.hasEntered(this.getItemIndex())) return [];
		}
		return outcomes.flatMap((outcome) => {
			if ('result' in outcome) return outcome.result;
			if ('notSent' in outcome) return [];
			// Nobody reads it, and nobody would catch an error; should that ever be wrong, it is to be seen.
			if ('givenUp' in outcome) return [asErrorItem(GIVEN_UP, this.getItemIndex())];
			if (continues) return [asErrorItem(outcome.failure, this.getItemIndex())];
			throw asNodeApiError(this.getNode(), outcome.failure, this.getItemIndex());
		});
	};
}

/**
 * Delivers a request, but a create only once in a run: under Retry On Fail n8n runs the whole node
 * again for all its items. A create that succeeded before gives its output again, and one that is in
 * doubt its failure; only one that is known to have failed is sent again.
 */
async function deliverOnce(
	traveller: Traveller,
	itemIndex: number,
	request: ApiRequest,
	created: Created,
): Promise<Outcome<INodeExecutionData[]>> {
	const { attempt, stopsOnError } = traveller;
	const read = (reply: Reply) => itemsOf(reply, request, itemIndex);
	if (request.creates === undefined || !attempt.mayBeRepeated) {
		return await deliver(traveller, request, read);
	}
	const key = `${itemIndex} ${request.creates}`;
	const before = await created.get(key)?.catch(() => undefined);
	if (before && 'result' in before) return before;
	if (before && 'failure' in before && before.failure.inDoubt) {
		if (stopsOnError) attempt.stop();
		return { failure: notSentAgain(before.failure) };
	}
	const delivery = deliver(traveller, request, read);
	created.set(key, delivery);
	return await delivery;
}
