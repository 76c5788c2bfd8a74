/** The request for an item; items have `id` (1, 2, …), `iso` (IT) and `vatNumber`. */
type Operation = 'get' | 'setPremium' | 'add';

/** The access token from every login; it never expires. */
export const TOKEN = 'bench-token';

interface Contender {
	name: string;
	credentialType?: string;
	/** @param url of the service */
	createNode: (operation: Operation, url: string) => { type: string; typeVersion: number; parameters: object };
}

export type ContenderId = 'voiceAdmin' | 'voiceAdmin200' | 'httpRequest' | 'floor';

const createJsonBody = (expression: string) => ({
	sendBody: true,
	specifyBody: 'json',
	jsonBody: `={{ JSON.stringify(${expression}) }}`,
});

/** A node that runs a step of bench/harness/Harness.node.js. */
export const createHarness = (parameters: object) => ({ type: 'CUSTOM.harness', typeVersion: 1, parameters });

function createVoiceAdminContender(name: string, options: object): Contender {
	const createNode = (operation: Operation) => {
		const fields = {
			get: { resource: 'dssGateway', gatewayId: '={{ $json.id }}', options },
			setPremium: {
				resource: 'dssTrunk',
				idTrunk: '={{ $json.id }}',
				iso: { __rl: true, mode: 'code', value: '={{ $json.iso }}' },
				options,
			},
			add: {
				resource: 'customer',
				vatNumber: '={{ $json.vatNumber }}',
				options: { validateVatNumber: false, ...options },
			},
		};
		return {
			type: 'n8n-nodes-voice-admin.voiceAdmin',
			typeVersion: 1,
			parameters: { operation, ...fields[operation] },
		};
	};
	return { name, credentialType: 'voiceAdminApi', createNode };
}

export const CONTENDERS: Record<ContenderId, Contender> = {
	voiceAdmin: createVoiceAdminContender('Voice Admin', {}),
	/** What changes something has at most 25 requests in flight by default. */
	voiceAdmin200: createVoiceAdminContender('Voice Admin, Max Concurrency 200', { maxConcurrency: 200 }),
	/** With this package's credential and n8n's defaults. */
	httpRequest: {
		name: 'HTTP Request',
		credentialType: 'voiceAdminApi',
		createNode: (operation, url) => {
			const request = {
				get: { method: 'GET', url: `=${url}/v1/voip/dss/gtw/{{ $json.id }}` },
				setPremium: {
					method: 'PUT',
					url: `${url}/v1/voip/dss/trunk/country/setpremium`,
					...createJsonBody('{ idTrunk: $json.id, iso: $json.iso }'),
				},
				add: { method: 'POST', url: `${url}/v1/customers/add`, ...createJsonBody('{ vatNumber: $json.vatNumber }') },
			};
			const credential = { authentication: 'predefinedCredentialType', nodeCredentialType: 'voiceAdminApi' };
			return {
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { ...request[operation], ...credential, options: {} },
			};
		},
	},
	/** n8n's own work for a request: a reference, and no lower bound, as a node may send more than 100 at once. */
	floor: {
		name: 'httpRequest alone',
		createNode: (operation, url) => createHarness({ step: 'floor', operation, url, token: TOKEN }),
	},
};

/**
 * A contender in a scenario. id: unique in it; executions: all at once, in a server; items: per execution;
 * singles: whether executions of a single item follow one another meanwhile
 */
export interface Variant {
	id: string;
	name: string;
	contender: ContenderId;
	items?: number;
	executions?: number;
	singles?: true;
}

/** Of the service. latency: of each response, in ms; perSecond: its rate limit, none by default */
export interface Conditions {
	latency: number;
	perSecond?: number;
}

/** Each round runs all variants of a scenario, so that a disturbance of the machine affects all of them. */
export interface Scenario extends Conditions {
	title: string;
	operation: Operation;
	items: number;
	/** In an n8n server, called by webhook; otherwise by `n8n execute`. */
	inServer?: true;
	variants: Variant[];
}

const variantOf = (contender: ContenderId): Variant => ({ id: contender, name: CONTENDERS[contender].name, contender });
const [voiceAdmin, httpRequest, floor] = [variantOf('voiceAdmin'), variantOf('httpRequest'), variantOf('floor')];
const changeVariants = [voiceAdmin, variantOf('voiceAdmin200'), httpRequest, floor];

/** Variants with a number of simultaneous executions, and of items in each. */
function createConcurrentVariants(executions: number, items: number, variants: Variant[]): Variant[] {
	return variants.map((variant) => {
		const name = `${executions.toLocaleString('en-US')} × ${items}, ${variant.name}`;
		return { ...variant, id: `${variant.id}-${executions}x${items}`, name, executions, items };
	});
}

const DEFAULTS = { operation: 'get', items: 1_000, latency: 50 } as const;
const nodes = [voiceAdmin, httpRequest];
const voiceAdminWithSingles: Variant = {
	...voiceAdmin,
	id: 'voiceAdminWithSingles',
	name: 'Voice Admin, beside single items',
	singles: true,
};

export const SCENARIOS: Record<string, Scenario> = {
	get: { ...DEFAULTS, title: 'Get', variants: [...nodes, floor] },
	'set-premium': { ...DEFAULTS, title: 'Set Premium', operation: 'setPremium', variants: changeVariants },
	'create-customer': { ...DEFAULTS, title: 'Create', operation: 'add', variants: changeVariants },
	'items-10000': { ...DEFAULTS, title: '10,000 items', items: 10_000, variants: [...nodes, floor] },
	'slow-replies': {
		...DEFAULTS,
		title: '2,000 items, replies after 1.5 s',
		items: 2_000,
		latency: 1_500,
		variants: nodes,
	},
	crowd: {
		...DEFAULTS,
		title: 'Many executions at once, behind 100 requests a second',
		inServer: true,
		perSecond: 100,
		variants: [
			...createConcurrentVariants(5, 400, [...nodes, voiceAdminWithSingles]),
			...createConcurrentVariants(100, 20, [voiceAdmin]),
			...createConcurrentVariants(1_000, 1, nodes),
		],
	},
};
