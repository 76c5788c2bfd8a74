import { OperationalError } from 'n8n-workflow';

/**
 * Runs `work` until it is done, the time is over, or `cancelled` fires, whichever comes first.
 *
 * Not by `AbortSignal.any`: what it combines stays in memory for as long as `cancelled` does, which is the whole
 * execution (Node 22: 4 KB for each request). Here nothing is left once `work` has ended.
 *
 * @param ms milliseconds for all of `work`; the HTTP client's own time-out starts again with every byte that arrives
 * @param work is given the signal that ends it early; its result is dropped then
 * @throws OperationalError "timeout of the whole response" when the time is over; otherwise what `work` throws
 */
export async function withDeadline<Result>(
	ms: number,
	cancelled: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const deadline = AbortSignal.timeout(ms);
	let reject: (error: Error) => void;
	const aborted = new Promise<never>((_resolve, rejectIt) => (reject = rejectIt));
	const abort = () => {
		controller.abort();
		reject(new OperationalError('aborted'));
	};
	const signals = [deadline, ...(cancelled ? [cancelled] : [])];
	for (const signal of signals) signal.addEventListener('abort', abort);
	if (cancelled?.aborted) abort();
	try {
		return await Promise.race([work(controller.signal), aborted]);
	} catch (error) {
		throw deadline.aborted ? new OperationalError('timeout of the whole response') : error;
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', abort);
	}
}
