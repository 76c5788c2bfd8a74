import { setMaxListeners } from 'node:events';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Attempt, N8nProcess, N8n, NodeError } from './n8n';
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
export async function execute(n8n: N8n, settings: Run, run: number): Promise<void> {
	const { clock, history, service } = n8n;
	n8n.activeCount++;
	await clock.wait(settings.startAt, true);
	let n8nProcess = n8n.processAt(settings.process);
	const cancel = new AbortController();
	// One for each request in flight.
	setMaxListeners(0, cancel.signal);
	const end = (ending: string, isCut: boolean) => {
		if (history.ends.has(run)) return;
		history.ends.set(run, { isCut, sentBefore: history.sentRequests.length });
		service.log(`run ${run} ${ending}`);
		n8n.activeCount--;
		if (isCut) cancel.abort();
	};
	if (settings.cancelAt !== undefined) clock.schedule(settings.cancelAt, () => end('is cancelled', true));
	const endWithProcess = (one: N8nProcess) =>
		one.onDeath.push(() => one === n8nProcess && end('dies with its process', true));
	endWithProcess(n8nProcess);
	const items = Array.from({ length: settings.items }, (_, item) => ({ json: { number: numberOf(run, item) } }));
	const { maxConcurrency, maxRetries, maxWait, dryRun } = settings;
	const parameters: Record<string, unknown> = {
		vatNumber: '=RO1{{ $json.number }}',
		idTrunk: '={{ $json.number }}',
		gatewayId: '={{ $json.number }}',
		iso: { __rl: true, mode: 'code', value: settings.countries === 2 ? 'IT,FR' : 'IT' },
		options: { maxConcurrency, maxRetries, maxWait, ...(dryRun && { dryRun }) },
	};
	const [resource, operation] = OPERATIONS[settings.operation];
	let savedContext: object = {};
	let attempt: Attempt;
	let attemptNumber = 1;
	const createExecuteContext = ({ node, ...baseContext }: ReturnType<N8n['createContext']>) => ({
		...baseContext,
		getNode: () => ({ ...node, retryOnFail: settings.retryOnFail, parameters: { resource, operation } }),
		isToolExecution: () => false,
		getContext: () => savedContext,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getInputData: () => items,
		getNodeParameter: (name: string, item: number, fallback: unknown, options?: { rawExpressions?: boolean }) => {
			const value = parameters[name] ?? fallback;
			if (typeof value !== 'string' || options?.rawExpressions) return value;
			const { number } = items[item]!.json;
			return name === 'vatNumber' ? `RO1${number}` : number;
		},
		continueOnFail: () => settings.continues,
		getExecutionCancelSignal: () => cancel.signal,
		addExecutionHints: (...hints: Array<{ message: string }>) =>
			void attempt.hints.push(...hints.map(({ message }) => message)),
	});
	let tries = 0;
	let mayBeRetried = settings.retriedIn !== undefined;
	for (; ; attemptNumber++) {
		history.attempts.push((attempt = { run, startedAt: clock.now, hints: [] }));
		const context = createExecuteContext(
			n8n.createContext('voiceAdmin', n8nProcess, settings.key, () => ({ run, attempt: attemptNumber })),
		);
		try {
			[attempt.output] = (await n8nProcess.process.node.execute.call(context as never)) as [INodeExecutionData[]];
		} catch (error) {
			attempt.error = error as NodeError;
		}
		attempt.endedAt = clock.now;
		// n8n has no use for what comes after a cancel.
		if (history.ends.has(run)) return;
		if (!attempt.error) break;
		if (settings.retryOnFail && ++tries < MAX_TRIES) await clock.wait(WAIT_BETWEEN_TRIES_MS, true);
		else if (mayBeRetried) {
			service.log(`run ${run} fails, and is retried in process ${settings.retriedIn}`);
			[mayBeRetried, tries] = [false, 0];
			// As n8n stores a failed execution.
			savedContext = JSON.parse(JSON.stringify(savedContext)) as object;
			n8nProcess = n8n.processAt(settings.retriedIn!);
			endWithProcess(n8nProcess);
			await clock.wait(RETRIED_AFTER_MS, true);
		} else break;
	}
	end(attempt.error ? `fails: ${attempt.error.message.replaceAll(n8n.baseUrl, 'the service')}` : 'ends', false);
}
