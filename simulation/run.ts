import { setMaxListeners } from 'node:events';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Attempt, Living, N8n, NodeError } from './n8n';
import { numberOf, type Run } from './world';

/** n8n's settings of Retry On Fail, as they are at first. */
const MAX_TRIES = 3;
const WAIT_BETWEEN_TRIES_MS = 1_000;

/** When somebody has seen that an execution failed. */
const RETRIED_AFTER_MS = 5_000;

const OPERATIONS = {
	create: ['customer', 'add'],
	premium: ['dssTrunk', 'setPremium'],
	get: ['dssGateway', 'get'],
} as const;

/** An execution with one node run, which is tried again under Retry On Fail, and once it has failed by n8n's Retry. */
export async function execute(n8n: N8n, of: Run, run: number): Promise<void> {
	const { clock, history, service } = n8n;
	n8n.goingOn++;
	await clock.pass(of.startAt, true);
	let living = n8n.at(of.process);
	const cancel = new AbortController();
	// One for each request in flight.
	setMaxListeners(0, cancel.signal);
	const end = (how: string, isCut: boolean) => {
		if (history.ends.has(run)) return;
		history.ends.set(run, { isCut, sentBefore: history.sends.length });
		service.log(`run ${run} ${how}`);
		n8n.goingOn--;
		if (isCut) cancel.abort();
	};
	if (of.cancelAt !== undefined) clock.at(of.cancelAt, () => end('is cancelled', true));
	const diesWith = (one: Living) => one.onDeath.push(() => one === living && end('dies with its process', true));
	diesWith(living);
	const items = Array.from({ length: of.items }, (_, item) => ({ json: { number: numberOf(run, item) } }));
	const { maxConcurrency, maxRetries, maxWait, dryRun } = of;
	const parameters: Record<string, unknown> = {
		vatNumber: '=RO1{{ $json.number }}',
		idTrunk: '={{ $json.number }}',
		gatewayId: '={{ $json.number }}',
		iso: { __rl: true, mode: 'code', value: of.countries === 2 ? 'IT,FR' : 'IT' },
		options: { maxConcurrency, maxRetries, maxWait, ...(dryRun && { dryRun }) },
	};
	const [resource, operation] = OPERATIONS[of.operation];
	let stored: object = {};
	let attempt: Attempt;
	let nth = 1;
	const contextIn = ({ node, ...lent }: ReturnType<N8n['lend']>) => ({
		...lent,
		getNode: () => ({ ...node, retryOnFail: of.retryOnFail, parameters: { resource, operation } }),
		isToolExecution: () => false,
		getContext: () => stored,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getInputData: () => items,
		getNodeParameter: (name: string, item: number, fallback: unknown, options?: { rawExpressions?: boolean }) => {
			const value = parameters[name] ?? fallback;
			if (typeof value !== 'string' || options?.rawExpressions) return value;
			const { number } = items[item]!.json;
			return name === 'vatNumber' ? `RO1${number}` : number;
		},
		continueOnFail: () => of.continues,
		getExecutionCancelSignal: () => cancel.signal,
		addExecutionHints: (...hints: Array<{ message: string }>) =>
			void attempt.hints.push(...hints.map(({ message }) => message)),
	});
	let tries = 0;
	let mayBeRetried = of.retriedIn !== undefined;
	for (; ; nth++) {
		history.attempts.push((attempt = { run, startedAt: clock.now, hints: [] }));
		const context = contextIn(n8n.lend('voiceAdmin', living, of.key, () => ({ run, attempt: nth })));
		try {
			[attempt.output] = (await living.process.node.execute.call(context as never)) as [INodeExecutionData[]];
		} catch (error) {
			attempt.error = error as NodeError;
		}
		attempt.endedAt = clock.now;
		// n8n has no use for what comes after a cancel.
		if (history.ends.has(run)) return;
		if (!attempt.error) break;
		if (of.retryOnFail && ++tries < MAX_TRIES) await clock.pass(WAIT_BETWEEN_TRIES_MS, true);
		else if (mayBeRetried) {
			service.log(`run ${run} fails, and is retried in process ${of.retriedIn}`);
			[mayBeRetried, tries] = [false, 0];
			// As n8n stores a failed execution.
			stored = JSON.parse(JSON.stringify(stored)) as object;
			living = n8n.at(of.retriedIn!);
			diesWith(living);
			await clock.pass(RETRIED_AFTER_MS, true);
		} else break;
	}
	end(attempt.error ? `fails: ${attempt.error.message.replaceAll(n8n.baseUrl, 'the service')}` : 'ends', false);
}
