import type { Mistake } from '../simulation/compile';

/** Small mistakes, each of which breaks a promise of docs/promises.md: `npm run simulate -- --mistakes` makes them one by one. */
export const MISTAKES: Mistake[] = [
	// A run
	['execution/sendItems.ts', 'if (dryRun) return', 'if (false) return'],
	[
		'execution/sendItems.ts',
		'history.sendUnlessSettled({ itemIndex, requestIndex, request }, send)',
		'history.sendUnlessSettled({ itemIndex, requestIndex: 0, request }, send)',
	],
	['execution/sendItems.ts', 'Math.min(items.length, active)', '1'],
	['execution/sendItems.ts', "canceled?.addEventListener('abort', stop);", ''],
	['execution/sendItems.ts', 'outputItems(response, request, itemIndex)', 'outputItems(response, request, 0)'],
	['execution/sendItems.ts', 'results[itemIndex] = await', 'results[items.length - 1 - itemIndex] = await'],
	['execution/runHistory.ts', 'if (settled) return settled;', ''],
	['execution/runHistory.ts', "if (outcome === 'done') return result;", ''],
	['execution/runHistory.ts', "request.creates === undefined || outcome !== 'unknown'", 'true'],
	['execution/runHistory.ts', '({ request }) => !isSafe(request)', "({ request }) => request.method === 'POST'"],
	['execution/executeItems.ts', 'throwUnlessContinuing(failures[0]);', ''],
	['execution/executeItems.ts', 'maxWait * 1_000, !context.continueOnFail())', 'maxWait * 1_000, true)'],
	// One request
	['transport/sendWithRetry.ts', 'if (!mayContinue) pending.settings.run.recordFailure();', ''],
	[
		'transport/pendingRequest.ts',
		'const outcome = worstOutcome(this.outcome, classification.outcome);',
		'const { outcome } = classification;',
	],
	['transport/retryStrategy.ts', '++this.retries > this.maxRetries', '++this.retries > this.maxRetries + 1'],
	['transport/retryStrategy.ts', '++this.retries > this.maxRetries', '++this.retries >= this.maxRetries'],
	[
		'transport/retryStrategy.ts',
		"if (health === 'rateLimited' || (mustWait && !this.ownFault.isUnavailableAlone)) {",
		'if (false) {',
	],
	['transport/retryStrategy.ts', 'if (!isRetryable ||', 'if ('],
	[
		'transport/retryStrategy.ts',
		"retry === 'always' || (retry === 'repeatable' && this.request.kind === 'repeatable')",
		"retry !== 'never'",
	],
	['transport/flow/ownFault.ts', 'return this.isUnavailableAlone && !isFirst;', 'return false;'],
	['transport/admit.ts', 'hasOftenFailed: attempts >= OFTEN_FAILED_FROM', 'hasOftenFailed: false'],
	// The limiter
	['transport/flow/concurrencyLimiter.ts', 'waiter.run.hasRoom && (!isFull || waiter.run.inFlight === 0)', 'true'],
	['transport/flow/concurrencyLimiter.ts', '!this.flow.outageOf(kind)?.probeDueInMs', 'kind !== undefined'],
	['transport/flow/concurrencyLimiter.ts', 'for (const { resolve } of this.queue.remove(run)) resolve(undefined);', ''],
	['transport/flow/flowController.ts', 'this.breaker.outage?.probeDueInMs || this.pacer.delayMs', 'this.pacer.delayMs'],
	['transport/flow/concurrencyLimiter.ts', 'this.inFlight--;', ''],
	['transport/flow/concurrencyLimiter.ts', 'this.hasResponded ? Infinity : MAX_WAIT_UNKNOWN_MS', 'MAX_WAIT_UNKNOWN_MS'],
	['transport/flow/fairQueue.ts', 'isRetry ? 1 : 2', '2'],
	[
		'transport/flow/fairQueue.ts',
		'		this.waiting.delete(waiter.run);\n		if (waiters.length > 0) this',
		'		if (waiters.length === 0) this.waiting.delete(waiter.run);\n		else this',
	],
	[
		'transport/flow/run.ts',
		'return this.inFlight < this.maxConcurrency;',
		'return this.inFlight <= this.maxConcurrency;',
	],
	['transport/flow/run.ts', 'for (const limiter of this.limiters) limiter.remove(this);', ''],
	['transport/flow/run.ts', 'Math.min(this.maxWaitMs, ', 'Math.min(Math.max(this.maxWaitMs, 120_000), '],
	['transport/flow/outage.ts', 'this.retryAfterUntil = Math.max(this.retryAfterUntil, now + (retryAfterMs ?? 0));', ''],
	[
		'transport/flow/outage.ts',
		"this.probeDueAt = this.lastProbeAt + (kind === 'create' ? MAX_CREATE_PROBE_DELAY_MS : MAX_PROBE_DELAY_MS);",
		'',
	],
	[
		'transport/flow/circuitBreaker.ts',
		'this.lastRespondedNumber > sequenceNumber && !failsAgain',
		'this.lastRespondedNumber > sequenceNumber',
	],
	[
		'transport/flow/concurrencyLimiter.ts',
		'else if (remainingMs <= LAST_PROBE_MS) this.flow.outageOf(kind)!.makeProbeDueEarly();',
		'',
	],
	['transport/flow/circuitBreaker.ts', 'outage.end();', ''],
	['time.ts', 'const deadline = time.deadline(ms);', 'const deadline = time.deadline(Infinity);'],
	['transport/flow/concurrencyLimiter.ts', 'limiters.getOrCreate(key.fingerprint', 'limiters.getOrCreate(key.baseUrl'],
	// Tokens
	[
		'transport/auth/tokenManager.ts',
		"(isAccepted || this.unacceptedInRow === 0))) return 'retry';",
		"(isAccepted || this.unacceptedInRow === 0))) return 'giveUp';",
	],
	['transport/auth/tokenManager.ts', "if (isInGracePeriod) return this.claimProbe() ? 'retry' : 'wait';", ''],
	['transport/auth/tokenAcceptance.ts', 'return this.lastAcceptedAt > refusedAt;', 'return this.lastAcceptedAt > 0;'],
	['transport/auth/sharedLogins.ts', 'shareFor(Infinity);', ''],
	[
		'transport/auth/tokenManager.ts',
		'renewAt: now + lifetimeMs - Math.min(lifetimeMs / 10, MAX_RENEWAL_MARGIN_MS)',
		'renewAt: now + lifetimeMs / 20',
	],
	['transport/auth/tokenManager.ts', 'this.recentTokens.push(token);', ''],
	// What a response means
	[
		'transport/response/classifyFailure.ts',
		"return isSafe(request) ? REJECTED : { ...REJECTED, outcome: 'unknown' };",
		'return REJECTED;',
	],
	[
		'transport/response/classifyFailure.ts',
		'status === 503 && retryAfterMs !== undefined && isApiErrorBody(body)',
		'status === 503 && retryAfterMs !== undefined',
	],
	[
		'transport/response/classifyFailure.ts',
		"const TIMED_OUT: Rule = { ...REJECTED, outcome: 'unknown', health: 'responded' };",
		'const TIMED_OUT: Rule = REJECTED;',
	],
	[
		'transport/response/classifyFailure.ts',
		'Math.max(outcomes.indexOf(one), outcomes.indexOf(other))',
		'outcomes.indexOf(other)',
	],
	['transport/response/successValue.ts', 'if (!isSuccess(status)) return undefined;', ''],
	// The trigger
	['trigger/poll.ts', 'if (currentPolls.get(triggerId) === staticData) currentPolls.delete(triggerId);', ''],
	['trigger/poll.ts', 'if (currentPolls.get(triggerId) === staticData) return null;', ''],
	['trigger/detectEvents.ts', 'if (previous !== undefined) after.snapshots.set(gatewayId, previous);', ''],
	['trigger/poll.ts', 'if (staticData) writeState(staticData, scope, after);', ''],
	['trigger/poll.ts', 'if (staticData && currentPolls.get(triggerId) !== staticData) return null;', ''],
	['trigger/fetchGateways.ts', "code === 'not_found' && hasApiErrorBody", "code === 'not_found'"],
	['trigger/fetchGateways.ts', '		run.stop();', ''],
	['trigger/detectEvents.ts', "current === null ? 'disappeared' : ", ''],
];
