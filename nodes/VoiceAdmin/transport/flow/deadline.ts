import { OperationalError } from 'n8n-workflow';

/**
 * Runs `work` until it is done, `ms` milliseconds are over (OperationalError), or `cancelled` fires; the signal ends it
 * early. Not by `AbortSignal.any`, which stays in memory for as long as `cancelled` does, the whole execution (4 KB for
 * each request on Node 22); nor by the HTTP client's time-out, which starts again with every byte that arrives.
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
