import { setMaxListeners } from 'node:events';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { LoggerProxy } from 'n8n-workflow';

import { Clock } from './clock';
import { N8nProcess } from './n8nProcess';
import { SECRET, type Send, Service, START } from './service';
import type { RunOfWorld, World } from './world';

/** n8n's settings of Retry On Fail, as they are at first. */
const MAX_TRIES = 3;
const WAIT_BETWEEN_TRIES_MS = 1_000;

/** A world that is not over by then never will be, in milliseconds. */
const END_MS = 6 * 3_600_000;

/** For so long the trigger goes on after its last change, with a service that is well again. */
const WELL_MS = 400_000;

/** An error as a user meets it. */
export interface NodeError {
	message: string;
	description?: string | null;
	context: { code?: string; outcome?: Send['means']; itemIndex?: number };
}

/** An attempt at a node run, and how it ended. */
export interface Attempt {
	run: number;
	attempt: number;
	startedAt: number;
	endedAt?: number;
	output?: INodeExecutionData[];
	error?: NodeError;
	hints: string[];
}

/** What an execution of the trigger's workflow was started with. */
export interface TriggerEvent {
	at: number;
	gatewayId: string;
	event: string;
	changed: Record<string, { from: unknown; to: unknown }>;
	current: IDataObject | null;
}

/** All that has happened in a world. */
export interface History {
	world: World;
	sends: Send[];
	/** What the service did, by `id` of the requests. */
	done: Map<string, number>;
	attempts: Attempt[];
	/** How each run ended, when, and how many requests had been sent by then. */
	ends: Map<number, { at: number; isCut: boolean; sentBefore: number }>;
	events: TriggerEvent[];
	/** The states that a gateway had, by when it came to be in each; undefined for one that is not there. */
	gateways: Map<string, Array<{ at: number; value: IDataObject | undefined }>>;
	/** Errors of polls. */
	pollErrors: NodeError[];
	/** Whether all runs ended. */
	isOver: boolean;
	/** Waits that were left when nothing had been going on for minutes, and processes with a permit that was not given back. */
	leftSleeping: number;
	leftPermits: number;
	/** What was written to n8n's log. */
	log: string[];
	trace: string[];
	/** How long it took in the world, in milliseconds. */
	simulatedMs: number;
}

/** The number of an item: its customer's, its trunk's and its gateway's. */
export const numberOf = (run: number, item: number): number => (run + 1) * 1_000 + item;
export const itemOf = (id: string): number => Number.parseInt(id, 10) % 1_000;
/** What the requests of an item are known by. */
export const idsOf = ({ operation, countries }: RunOfWorld, run: number, item: number): string[] =>
	operation === 'premium' && countries === 2 ? ['IT', 'FR'].map((iso) => `${numberOf(run, item)}/${iso}`) : [`${numberOf(run, item)}${operation === 'premium' ? '/IT' : ''}`];

const OPERATIONS = { create: ['customer', 'add', 'POST'], premium: ['dssTrunk', 'setPremium', 'PUT'], get: ['dssGateway', 'get', 'GET'] } as const;

/** Processes of n8n that no world uses at present. */
let idle: N8nProcess[] = [];
let worlds = 0;

/** Ends all processes: the next ones are new. */
export const endProcesses = (): void => void (idle = []);

const copied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Lets a world happen. The same world always has the same history. */
export async function happen(world: World): Promise<History> {
	return await new N8n(world).happen();
}

/** A process of n8n while it lives. */
interface Living {
	process: N8nProcess;
	nth: number;
	isDead: boolean;
}

class N8n {
	private readonly clock: Clock;

	private readonly service: Service;

	private readonly used: N8nProcess[] = [];

	private readonly living: Living[];

	private readonly history: History;

	private left: number;

	// A service of its own: what a process knows of it is of this world.
	private readonly baseUrl = `https://service-${++worlds}.example`;

	private readonly credential = {
		environment: 'production', baseUrl: this.baseUrl, clientId: 'client', clientSecret: SECRET, authHeaderName: 'Authorization', authHeaderPrefix: 'Bearer',
		allowUnauthorizedCerts: false, accessToken: '',
	};

	constructor(private readonly world: World) {
		this.clock = new Clock(world.seed);
		this.service = new Service(world, this.clock, (id) => this.gateway(id));
		this.living = [0, 1, 2].map((nth) => this.start(nth));
		this.left = world.runs.length + (world.trigger ? 1 : 0);
		this.history = {
			world, sends: this.service.sends, done: this.service.done, attempts: [], ends: new Map(), events: [], gateways: new Map(), pollErrors: [], isOver: false,
			leftSleeping: 0, leftPermits: 0, log: [], trace: this.service.trace, simulatedMs: 0,
		};
	}

	async happen(): Promise<History> {
		const { clock, history, world } = this;
		const debug = (message: string, meta: unknown) => void history.log.push(`${message} ${JSON.stringify(meta)}`);
		LoggerProxy.init({ debug, info: debug, warn: debug, error: debug });
		world.runs.forEach((run, nth) => void this.run(run, nth));
		if (world.trigger) this.watch(world.trigger);
		await clock.run(() => this.left === 0, END_MS);
		history.isOver = this.left === 0;
		history.simulatedMs = clock.now - START;
		// A login that is shared goes on when its run has been cancelled.
		await clock.run(() => clock.sleeping === 0 && this.service.inFlight === 0, clock.now + 400_000);
		history.leftSleeping = clock.sleeping;
		history.leftPermits = this.living.filter(({ process }) => this.hasPermit(process)).length;
		idle.push(...this.used);
		return history;
	}

	/** The one question about the inside of the node. */
	private hasPermit(process: N8nProcess): boolean {
		const { parseCredential } = process.load('nodes/VoiceAdmin/transport/auth/credential') as unknown as typeof import('../../nodes/VoiceAdmin/transport/auth/credential');
		const { limiterOf } = process.load('nodes/VoiceAdmin/transport/flow/limiters') as unknown as typeof import('../../nodes/VoiceAdmin/transport/flow/limiters');
		return limiterOf(parseCredential(this.credential)).idleMs === undefined;
	}

	/** Starts a process of n8n. */
	private start(nth: number): Living {
		const process = idle.pop() ?? new N8nProcess();
		this.used.push(process);
		const living = { process, nth, isDead: false };
		process.setTime(this.clock.functionsOf(living));
		return living;
	}

	private log(line: string): void {
		this.history.trace.push(`${Math.round(this.clock.now - START)} ${line}`);
	}

	/** What n8n lends a node to send with. @param of whose requests they are */
	private helpersOf(living: Living, of: () => Pick<Send, 'run' | 'attempt'>) {
		const { service, credential } = this;
		/** In a process that has died, nothing is sent, and nothing comes back. */
		const whileAlive = async <Value>(send: () => Promise<Value>): Promise<Value> =>
			await new Promise((resolve, reject) => {
				if (!living.isDead) send().then((value) => living.isDead || resolve(value), (error: unknown) => living.isDead || reject(error as Error));
			});
		return {
			httpRequest: async ({ method, abortSignal }: { method: string; abortSignal?: AbortSignal }) =>
				await whileAlive(async () => await service.receive({ run: -1, attempt: 0, process: living.nth, id: 'login', method, token: '' }, abortSignal)),
			async httpRequestWithAuthentication(
				this: { getExecutionCancelSignal: () => AbortSignal },
				_type: string,
				request: { method: string; url: string; body?: string },
				{ credentialsDecrypted: { data } }: { credentialsDecrypted: { data: typeof credential } },
			) {
				const { headers } = (await living.process.credential.authenticate(data, request as never)) as { headers: Record<string, string> };
				const body = JSON.parse(request.body ?? '{}') as { vatNumber?: string; idTrunk?: number; iso?: string };
				const id = body.vatNumber?.slice(3) ?? (body.idTrunk === undefined ? request.url.split('/').at(-1)! : `${body.idTrunk}/${body.iso}`);
				const token = headers.Authorization!.slice('Bearer '.length);
				return await whileAlive(async () => await service.receive({ ...of(), process: living.nth, id, method: request.method, token }, this.getExecutionCancelSignal()));
			},
		};
	}

	private contextOf(type: string, living: Living, of: () => Pick<Send, 'run' | 'attempt'>) {
		const { credential } = this;
		return {
			additionalData: { credentialsHelper: { getDecrypted: async () => await Promise.resolve(credential) } },
			getCredentials: async () => await Promise.resolve(copied(credential)),
			helpers: this.helpersOf(living, of),
			node: { id: type, name: type, type: `n8n-nodes-voice-admin.${type}`, typeVersion: 1, position: [0, 0], parameters: {}, credentials: { voiceAdminApi: { id: '1', name: '1' } } },
		};
	}

	/** An execution with one node run, which is tried again under Retry On Fail. */
	private async run(of: RunOfWorld, run: number): Promise<void> {
		const { clock, history } = this;
		await new Promise<void>((resolve) => clock.at(of.startAt, resolve, true));
		const living = this.living[of.process]!;
		const cancel = new AbortController();
		setMaxListeners(0, cancel.signal);
		const end = (line: string, isCut: boolean) => {
			if (history.ends.has(run)) return;
			history.ends.set(run, { at: clock.now, isCut, sentBefore: history.sends.length });
			this.log(`${run} ${line}`);
			this.left--;
		};
		if (of.cancelAt !== undefined) {
			clock.at(of.cancelAt, () => {
				if (history.ends.has(run)) return;
				end('is cancelled', true);
				cancel.abort();
			});
		}
		this.onDeath(living, () => end('dies with its process', true));
		const items = Array.from({ length: of.items }, (_, item): INodeExecutionData => ({ json: { number: numberOf(run, item) } }));
		const [resource, operation] = OPERATIONS[of.operation];
		const countries = of.countries === 2 ? 'IT,FR' : 'IT';
		const ofItem = (name: string): string | undefined => ({ vatNumber: 'DE1{{ $json.number }}', idTrunk: '{{ $json.number }}', gatewayId: '{{ $json.number }}' })[name];
		const parameters: Record<string, unknown> = {
			iso: { __rl: true, mode: 'code', value: countries },
			options: { maxConcurrency: of.maxConcurrency, maxRetries: of.maxRetries, ...(of.dryRun && { dryRun: true }) },
			requestOptions: of.batch ? { batching: { batch: of.batch } } : {},
		};
		const executeData = {};
		let attempt: Attempt;
		const { node, ...lent } = this.contextOf('voiceAdmin', living, () => ({ run, attempt: attempt.attempt }));
		const context = {
			...lent,
			getNode: () => ({ ...node, retryOnFail: of.retryOnFail, ...(of.continues && { onError: 'continueRegularOutput' }) }),
			getInputData: () => items,
			getExecuteData: () => executeData,
			getNodeParameter: (name: string, item: number, fallback: unknown, { rawExpressions }: { rawExpressions?: boolean } = {}) => {
				const template = ofItem(name);
				if (template === undefined) return parameters[name] ?? fallback;
				const text = template.replace('{{ $json.number }}', String(items[item]!.json.number));
				return rawExpressions ? `=${template}` : name === 'idTrunk' ? Number(text) : text;
			},
			continueOnFail: () => of.continues,
			getExecutionCancelSignal: () => cancel.signal,
			addExecutionHints: (...hints: Array<{ message: string }>) => void attempt.hints.push(...hints.map(({ message }) => message)),
		};
		for (let nth = 1; nth <= (of.retryOnFail ? MAX_TRIES : 1); nth++) {
			attempt = { run, attempt: nth, startedAt: clock.now, hints: [] };
			history.attempts.push(attempt);
			const ended = await living.process.node.customOperations![resource]![operation]!.call(context as never).then(
				(output) => ({ output: (output as INodeExecutionData[][])[0]! }),
				(error: unknown) => ({ error: error as NodeError }),
			);
			Object.assign(attempt, ended, { endedAt: clock.now });
			// n8n has no use for what comes after a cancel.
			if (history.ends.has(run)) return;
			if ('output' in ended || nth === MAX_TRIES || !of.retryOnFail) break;
			await new Promise<void>((resolve) => clock.at(WAIT_BETWEEN_TRIES_MS, resolve, true));
		}
		end(attempt!.error ? `fails: ${attempt!.error.message.replaceAll(this.baseUrl, 'the service')}` : 'ends', false);
	}

	/** What is to be done when a process dies. */
	private readonly deaths = new Map<Living, Array<() => void>>();

	private onDeath(living: Living, act: () => void): void {
		this.deaths.set(living, [...(this.deaths.get(living) ?? []), act]);
	}

	private gateway(id: string): IDataObject | undefined {
		const states = this.history.gateways.get(id);
		return states ? states.at(-1)!.value : { id, name: `Gateway ${id}` };
	}

	/** A workflow with the trigger, which n8n activates at its start, and polls; with what happens to the gateways. */
	private watch({ process, everyMs, gateways, changes, crashes }: NonNullable<World['trigger']>): void {
		const { clock, history } = this;
		const ids = Array.from({ length: gateways }, (_, nth) => `900${nth}`);
		for (const id of ids) history.gateways.set(id, [{ at: clock.now, value: { id, version: 0 } }]);
		let version = 0;
		for (const { at, gateway, removes } of changes) {
			clock.at(at, () => {
				const id = ids[gateway % gateways]!;
				const value = removes && this.gateway(id) ? undefined : { id, version: ++version };
				history.gateways.get(id)!.push({ at: clock.now, value });
				this.log(`gateway ${id} ${value ? `has version ${version}` : 'is removed'}`);
			});
		}
		clock.at(WELL_MS, () => {
			this.service.isWell = true;
			clock.at(6 * everyMs + 400_000, () => {
				isEnded = true;
				this.left--;
			});
		});
		let isEnded = false;
		/** The workflow in n8n's database. */
		let database: IDataObject = {};
		const activate = (living: Living, mode: string, delay: number) => {
			if (living.isDead || isEnded) return;
			let staticData = copied(database);
			const { node, ...lent } = this.contextOf('voiceAdminTrigger', living, () => ({ run: -2, attempt: 0 }));
			const parameters: Record<string, unknown> = { gatewayIds: ids.join(','), organizationId: '', events: ['appeared', 'changed', 'disappeared'], watch: 'all', options: {} };
			const context = {
				...lent,
				getNode: () => node,
				getWorkflow: () => ({ id: this.baseUrl }),
				getMode: () => 'trigger',
				getActivationMode: () => mode,
				getWorkflowStaticData: () => staticData,
				getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
				__emitError: (error: NodeError) => void history.pollErrors.push(error),
			};
			const poll = async (isFirst: boolean): Promise<void> => {
				const output = (await living.process.trigger.poll.call(context as never)) as INodeExecutionData[][] | null;
				if (living.isDead) return;
				// n8n stores what a poll has changed after the first one, and before it starts an execution.
				if (output || isFirst) database = copied(staticData);
				for (const { json } of output?.[0] ?? []) {
					history.events.push({ at: clock.now, ...json } as never);
					this.log(`gateway ${String(json.gatewayId)}: ${String(json.event)}`);
				}
			};
			const go = () => {
				if (living.isDead || isEnded) return;
				clock.at(everyMs, go);
				poll(false).catch((error: unknown) => void history.pollErrors.push(error as NodeError));
			};
			poll(true).then(
				() => clock.at(everyMs, go),
				(error: unknown) => {
					history.pollErrors.push(error as NodeError);
					// n8n loads the workflow again.
					staticData = {};
					clock.at(delay, () => activate(living, 'init', Math.min(2 * delay, 60_000)));
				},
			);
		};
		activate(this.living[process]!, 'activate', 1_000);
		for (const at of crashes) {
			clock.at(at, () => {
				const dead = this.living[process]!;
				dead.isDead = true;
				this.log(`process ${process} dies`);
				for (const act of this.deaths.get(dead) ?? []) act();
				this.living[process] = this.start(dead.nth + 3);
				activate(this.living[process]!, 'init', 1_000);
			});
		}
	}
}
