import type { Failure } from './http/errors';

/** What became of a request. */
export type Outcome<Result> =
	/** What was read from a good reply. */
	| { result: Result }
	| { failure: Failure }
	/** The run was stopped or cancelled before the request was sent, or before it was sent again. */
	| { notSent: true }
	/** n8n has given the run up before all its items were read; nothing was sent. */
	| { givenUp: true };
