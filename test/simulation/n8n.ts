import { setMaxListeners } from 'node:events';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { LoggerProxy } from 'n8n-workflow';

import { Clock } from './clock';
import { compile, type Mistake, type Package } from './compile';
import { LOGIN, type Request, SECRET, type Send, Service } from './service';
import { numberOf, type Run, type World } from './world';

/** n8n's settings of Retry On Fail, as they are at first. */
const MAX_TRIES = 3;
const WAIT_BETWEEN_TRIES_MS = 1_000;

/** Nobody waits for longer, but a poll that has left its limit of 3 minutes behind. */
const MAX_WAIT_MS = 130_000;

/** A world that is not over by then never will be. */
const END_MS = 6 * 3_600_000;

const OPERATIONS = { create: ['customer', 'add'], premium: ['dssTrunk', 'setPremium'], get: ['dssGateway', 'get'] } as const;

/** An error as a user meets it. */
export interface NodeError {
	message: string;
	description?: string | null;
	context: { code?: string; outcome?: Send['means']; itemIndex?: number };
}

/** With what an execution was started. */
export interface TriggerEvent {
	at: number;
	mode: 'trigger' | 'manual';
	gatewayId: string;
	event: string;
	changed: Record<string, { from: unknown; to: unknown }>;
	current: IDataObject | null;
}

/** An attempt at a node run. */
interface Attempt {
	run: number;
	startedAt: number;
	endedAt?: number;
	output?: INodeExecutionData[];
	error?: NodeError;
	hints: string[];
}

/** All that has happened in a world. */
export interface History extends Pick<Service, 'sends' | 'done' | 'trace'> {
	world: World;
	attempts: Attempt[];
	/** How each run ended: whether it was cancelled, or its process died; and how many requests had been sent by then. */
	ends: Map<number, { isCut: boolean; sentBefore: number }>;
	/** What the trigger reported, the states that its gateways came to be in (undefined for none), and errors of its polls. */
	events: TriggerEvent[];
	gateways: Map<string, Array<{ at: number; value: IDataObject | undefined }>>;
	pollErrors: NodeError[];
	/** What was written to n8n's log. */
	log: string[];
	/** What is not over, or was left behind. */
	left: string[];
	simulatedMs: number;
}

/** A process of n8n while it lives. */
export interface Living {
	nth: number;
	process: Package;
	isDead: boolean;
	/** Called when it dies. */
	onDeath: Array<() => void>;
}

/** Processes that no world uses at present: worlds use them one after the other, each with a service and a time of its own. */
let idle: Package[] = [];
let compiled: ReturnType<typeof compile> | undefined;
let worlds = 0;

/** Makes a mistake in all processes that are started from now on. */
export function makeMistake(mistake: Mistake): void {
	idle = [];
	compiled = compile(mistake);
}

/** Brings a trigger to life, and what happens to it. */
type Watch = (n8n: N8n, trigger: NonNullable<World['trigger']>, onEnd: () => void) => void;

export class N8n {
	readonly clock: Clock;

	readonly service: Service;

	readonly history: History;

	/** By their place in the world. */
	private readonly living: Living[] = [];

	private readonly used: Package[] = [];

	private load!: () => Package;

	/** How many runs and triggers go on. */
	private goingOn: number;

	/** Of this world alone, and so is all that a process remembers of it. */
	readonly baseUrl = `https://service-${++worlds}.example`;

	/** One of each key. */
	private readonly credentials = ['client', 'other'].map((clientId) => ({ environment: 'production', baseUrl: this.baseUrl, clientId, clientSecret: SECRET }));

	constructor(private readonly world: World) {
		this.clock = new Clock(world.seed);
		const gateways: History['gateways'] = new Map();
		this.service = new Service(world, this.clock, (id) => (gateways.has(id) ? gateways.get(id)!.at(-1)!.value : { id }));
		const { sends, done, trace } = this.service;
		this.history = { world, sends, done, trace, attempts: [], ends: new Map(), events: [], gateways, pollErrors: [], log: [], left: [], simulatedMs: 0 };
		this.goingOn = world.runs.length;
	}

	async happen(watch: Watch): Promise<History> {
		const { clock, history, service } = this;
		this.load = await (compiled ??= compile());
		const log = (message: string, meta: unknown) => void history.log.push(`${message} ${JSON.stringify(meta)}`);
		LoggerProxy.init({ debug: log, info: log, warn: log, error: log });
		const uncaught = (error: unknown) => void history.left.push(`an error that nobody caught: ${String(error)}`);
		process.on('unhandledRejection', uncaught);
		this.world.runs.forEach((of, run) => void this.run(of, run));
		if (this.world.trigger) {
			this.goingOn++;
			watch(this, this.world.trigger, () => this.goingOn--);
		}
		await clock.run(() => this.goingOn === 0, END_MS);
		history.simulatedMs = clock.now;
		if (this.goingOn > 0) history.left.push('a run');
		// A login that is shared goes on when its run has been cancelled.
		await clock.run(() => service.inFlight === 0, clock.now + 400_000);
		await clock.run(() => clock.sleeping === 0 && service.inFlight === 0, clock.now + MAX_WAIT_MS);
		if (clock.sleeping > 0) history.left.push('a wait');
		if (this.living.some((living) => living && this.hasPermit(living.process))) history.left.push('a permit that was not given back');
		idle.unshift(...this.used);
		// Node speaks of such errors when nothing else is left to do.
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', uncaught);
		return history;
	}

	/** The process in a place. */
	at(place: number): Living {
		return this.living[place] ?? this.start(place);
	}

	/** Starts a process in a place, where none is or one has died. */
	start(place: number): Living {
		const process = idle.shift() ?? this.load();
		const living = { nth: this.used.push(process), process, isDead: false, onDeath: [] };
		Object.assign(process.time, this.clock.timeOf(living));
		return (this.living[place] = living);
	}

	/** Whether the node still holds a place in its queue: the one question about its inside. */
	private hasPermit(process: Package): boolean {
		const { parseCredential, limiterOf } = process;
		return this.credentials.some((credential) => !limiterOf(parseCredential(credential)).isIdle);
	}

	/** What n8n lends a node. @param of whose requests they are */
	lend(type: string, living: Living, key: number, of: () => Pick<Send, 'run' | 'attempt'>) {
		const { service } = this;
		const credential = this.credentials[key]!;
		const client = `${living.nth} ${key}`;
		const receive = async (sent: Omit<Request, 'client' | 'key'>, signal: AbortSignal | undefined): Promise<unknown> =>
			living.isDead ? await new Promise(() => {}) : await service.receive({ ...sent, client, key }, living, signal);
		return {
			additionalData: { credentialsHelper: { getDecrypted: async () => await Promise.resolve(credential) } },
			getCredentials: async () => await Promise.resolve({ ...credential }),
			helpers: {
				httpRequest: async ({ method, abortSignal }: { method: string; abortSignal?: AbortSignal }) =>
					await receive({ run: LOGIN, attempt: 0, id: 'login', method, token: '' }, abortSignal),
				async httpRequestWithAuthentication(
					this: { getExecutionCancelSignal: () => AbortSignal },
					_type: string,
					request: { method: string; url: string; body?: string },
					{ credentialsDecrypted }: { credentialsDecrypted: { data: never } },
				) {
					const { headers } = await living.process.credential.authenticate(credentialsDecrypted.data, request as never);
					const { vatNumber, idTrunk, iso } = JSON.parse(request.body ?? '{}') as { vatNumber?: string; idTrunk?: number; iso?: string };
					const id = vatNumber?.slice('DE1'.length) ?? (idTrunk === undefined ? request.url.split('/').at(-1)! : `${idTrunk}/${iso}`);
					const token = String(headers!.Authorization).slice('Bearer '.length);
					return await receive({ ...of(), id, method: request.method, token }, this.getExecutionCancelSignal());
				},
			},
			node: { id: type, name: type, type, typeVersion: 1, position: [0, 0], parameters: {}, credentials: { voiceAdminApi: { id: '1', name: '1' } } },
		};
	}

	/** An execution with one node run, which is tried again under Retry On Fail. */
	private async run(of: Run, run: number): Promise<void> {
		const { clock, history, service } = this;
		const wait = async (ms: number) => await new Promise<void>((resolve) => clock.at(ms, resolve, true));
		await wait(of.startAt);
		const living = this.at(of.process);
		const cancel = new AbortController();
		// One for each request in flight.
		setMaxListeners(0, cancel.signal);
		const end = (how: string, isCut: boolean) => {
			if (history.ends.has(run)) return;
			history.ends.set(run, { isCut, sentBefore: history.sends.length });
			service.log(`run ${run} ${how}`);
			this.goingOn--;
			if (isCut) cancel.abort();
		};
		if (of.cancelAt !== undefined) clock.at(of.cancelAt, () => end('is cancelled', true));
		living.onDeath.push(() => end('dies with its process', true));
		const items = Array.from({ length: of.items }, (_, item) => ({ json: { number: numberOf(run, item) } }));
		const { maxConcurrency, maxRetries, maxWait, dryRun } = of;
		const parameters: Record<string, unknown> = {
			vatNumber: '=DE1{{ $json.number }}',
			idTrunk: '={{ $json.number }}',
			gatewayId: '={{ $json.number }}',
			iso: { __rl: true, mode: 'code', value: of.countries === 2 ? 'IT,FR' : 'IT' },
			options: { maxConcurrency, maxRetries, maxWait, ...(dryRun && { dryRun }) },
			requestOptions: of.batch ? { batching: { batch: of.batch } } : {},
		};
		const executeData = {};
		let attempt: Attempt;
		let nth = 1;
		const { node, ...lent } = this.lend('voiceAdmin', living, of.key, () => ({ run, attempt: nth }));
		const context = {
			...lent,
			getNode: () => ({ ...node, retryOnFail: of.retryOnFail }),
			getInputData: () => items,
			getExecuteData: () => executeData,
			getNodeParameter: (name: string, item: number, fallback: unknown, options?: { rawExpressions?: boolean }) => {
				const value = parameters[name] ?? fallback;
				if (typeof value !== 'string' || options?.rawExpressions) return value;
				const { number } = items[item]!.json;
				return name === 'vatNumber' ? `DE1${number}` : number;
			},
			continueOnFail: () => of.continues,
			getExecutionCancelSignal: () => cancel.signal,
			addExecutionHints: (...hints: Array<{ message: string }>) => void attempt.hints.push(...hints.map(({ message }) => message)),
		};
		const [resource, operation] = OPERATIONS[of.operation];
		for (; ; nth++) {
			history.attempts.push((attempt = { run, startedAt: clock.now, hints: [] }));
			try {
				attempt.output = ((await living.process.node.customOperations![resource]![operation]!.call(context as never)) as INodeExecutionData[][])[0]!;
			} catch (error) {
				attempt.error = error as NodeError;
			}
			attempt.endedAt = clock.now;
			// n8n has no use for what comes after a cancel.
			if (history.ends.has(run)) return;
			if (!attempt.error || !of.retryOnFail || nth === MAX_TRIES) break;
			await wait(WAIT_BETWEEN_TRIES_MS);
		}
		end(attempt.error ? `fails: ${attempt.error.message.replaceAll(this.baseUrl, 'the service')}` : 'ends', false);
	}
}
