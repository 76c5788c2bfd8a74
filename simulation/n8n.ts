import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Clock } from './clock';
import { compile, type Package } from './compile';
import { LOGIN, type Request, SECRET, type SentRequest, Service } from './service';
import type { World } from './world';

/** An error as a user meets it. */
export interface NodeError {
	message: string;
	description?: string | null;
	stack?: string;
	context: { code?: string; outcome?: SentRequest['outcome']; itemIndex?: number };
}

/** An attempt at a node run. */
export interface Attempt {
	run: number;
	startedAt: number;
	endedAt?: number;
	output?: INodeExecutionData[];
	error?: NodeError;
	hints: string[];
}

/** With what the trigger started an execution. */
interface TriggerEvent {
	at: number;
	mode: 'trigger' | 'manual';
	gatewayId: string;
	event: string;
	changed: Record<string, { from: unknown; to: unknown }>;
	current: IDataObject | null;
}

/** All that has happened in a world. */
export type History = ReturnType<typeof emptyHistory>;

const emptyHistory = (world: World, { sentRequests, doneCounts, trace, gateways }: Service) => ({
	world,
	sentRequests,
	doneCounts,
	trace,
	gateways,
	attempts: [] as Attempt[],
	/** How each run ended: whether it was cancelled, or its process died; and how many requests had been sent by then. */
	ends: new Map<number, { isCut: boolean; sentBefore: number }>(),
	events: [] as TriggerEvent[],
	pollErrors: [] as NodeError[],
	/** What was written to n8n's log. */
	log: [] as string[],
	/** What is not over, or was left behind. */
	leftovers: [] as string[],
	simulatedMs: 0,
});

/** A process of n8n while it lives. */
export interface N8nProcess {
	nth: number;
	process: Package;
	isDead: boolean;
	/** Called when it dies. */
	onDeath: Array<() => void>;
}

/** Processes that no world uses at present: worlds use them one after the other, each with a service and a time of its own. */
const idlePackages: Package[] = [];
let loaderPromise: ReturnType<typeof compile> | undefined;
let worldCount = 0;

/** n8n in a world: its processes, and what it lends the nodes. */
export class N8n {
	readonly clock: Clock;

	readonly service: Service;

	readonly history: History;

	/** How many runs and triggers go on. */
	activeCount = 0;

	/** Of this world alone, and so is all that a process remembers of it. */
	readonly baseUrl = `https://service-${++worldCount}.example`;

	/** One of each key. */
	private readonly credentials = ['client', 'other'].map((clientId) => ({
		environment: 'production',
		baseUrl: this.baseUrl,
		clientId,
		clientSecret: SECRET,
	}));

	/** By their place in the world. */
	private readonly processes: N8nProcess[] = [];

	private readonly allProcesses: N8nProcess[] = [];

	private constructor(
		world: World,
		private readonly load: () => Package,
	) {
		this.clock = new Clock(world.seed);
		this.service = new Service(world, this.clock);
		this.history = emptyHistory(world, this.service);
	}

	static async of(world: World): Promise<N8n> {
		return new N8n(world, await (loaderPromise ??= compile()));
	}

	/** The process in a place. */
	processAt(place: number): N8nProcess {
		return this.processes[place] ?? this.start(place);
	}

	/** Starts a process in a place, where none is or one has died. */
	start(place: number): N8nProcess {
		const process = idlePackages.shift() ?? this.load();
		const living = { nth: this.allProcesses.length, process, isDead: false, onDeath: [] };
		this.allProcesses.push(living);
		Object.assign(process.time, this.clock.timeOf(living));
		return (this.processes[place] = living);
	}

	/** @returns whether the node still holds a place in a queue: the one question about its inside */
	end(): boolean {
		// Not those that have died: what they had begun never ends, and they keep it for ever.
		idlePackages.unshift(...this.allProcesses.flatMap(({ process, isDead }) => (isDead ? [] : [process])));
		return this.processes.some(({ process: { parseCredential, limiterOf } }) =>
			this.credentials.some((credential) => !limiterOf(parseCredential(credential)).isIdle),
		);
	}

	/** What n8n lends a node. @param getSender whose requests they are */
	createContext(
		type: string,
		n8nProcess: N8nProcess,
		key: number,
		getSender: () => Pick<SentRequest, 'run' | 'attempt'>,
	) {
		const credential = this.credentials[key]!;
		const client = `${n8nProcess.nth} ${key}`;
		const receive = async (sent: Omit<Request, 'client' | 'key'>, signal: AbortSignal | undefined): Promise<unknown> =>
			n8nProcess.isDead
				? await new Promise(() => {})
				: await this.service.receive({ ...sent, client, key }, n8nProcess, signal);
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
					const { headers } = await n8nProcess.process.credential.authenticate(
						credentialsDecrypted.data,
						request as never,
					);
					const { vatNumber, idTrunk, iso } = JSON.parse(request.body ?? '{}') as {
						vatNumber?: string;
						idTrunk?: number;
						iso?: string;
					};
					const id =
						vatNumber?.slice('RO1'.length) ??
						(idTrunk === undefined ? request.url.split('/').at(-1)! : `${idTrunk}/${iso}`);
					const token = String(headers!.Authorization).slice('Bearer '.length);
					return await receive({ ...getSender(), id, method: request.method, token }, this.getExecutionCancelSignal());
				},
			},
			node: {
				id: type,
				name: type,
				type,
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
				credentials: { voiceAdminApi: { id: '1', name: '1' } },
			},
		};
	}
}
