import { inspect } from 'node:util';
import { type ExecuteContext, RoutingNode } from 'n8n-core';
import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeType,
	LoggerProxy,
} from 'n8n-workflow';
import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { everyOperation, parametersByPlaceholder } from '../support/everyOperation';
import {
	credentialFor,
	executeWorkflow,
	json,
	loaded,
	nodeOf,
	Polling,
	RECORDED_TOKEN,
	type Recorder,
	startService,
	toolOfAgent,
	toolVariant,
} from '../support/executor';

const KEY = 'key-that-nobody-may-read-8c2e';

/** How an expression finds the key where n8n evaluates it with the decrypted credential in scope, as the last test shows. */
const FOUND_BY = [
	'$credentials?.clientSecret',
	'$item(0).$credentials?.clientSecret',
	'`${$credentials?.clientSecret ?? ""}`',
	'Object.values($credentials ?? {}).join()',
	'JSON.stringify($credentials)',
	'$jmespath($credentials ?? {}, "clientSecret")',
	'$evaluateExpression("{" + "{ $credentials?.clientSecret }" + "}")',
];
const READING = [
	// Both as the value and in the item of the node before.
	...FOUND_BY.map((found) => `$json.leak = ${found} || $json.leak`),
	'($json.leak = $credentials?.clientSecret ?? $json.leak) && 1000',
	'$($credentials.clientSecret)',
];
/** Expressions that show what else n8n gives an expression, or try to leave it. */
const OTHERS = [
	'$json.leak = this.$credentials?.clientSecret',
	'$fromAI("x", "", "string", $credentials?.clientSecret)',
	'$execution.customData.set("leak", $credentials?.clientSecret)',
	'(() => { throw new Error($credentials?.clientSecret) })()',
	'JSON.stringify([$self, $secrets, $vars, $execution, $workflow, $prevNode, $input.params, $input.context])',
	'JSON.stringify([Object.keys($parameter), $rawParameter, $request, $response, $value, $data, $tool])',
	'JSON.stringify([$("Voice Admin").context, $node["Voice Admin"].context, $node["Voice Admin"].data])',
	'Object.keys($parameter).constructor.constructor("return this")()',
	'{{ $credentials.clientSecret }}',
];
const inBraces = (expression: string) => `={{ ${expression} }}`;
const EXPRESSIONS = [...READING, ...OTHERS].map(inBraces);

interface Attempt {
	parameters: INodeParameters;
	/** What was tried, for the list of those that succeed. */
	name: string;
}

/** A value for a field, with every field of a collection. */
function valueOf({ name, type, default: value, options = [] }: INodeProperties): unknown {
	const objectOf = (fields: INodeProperties[]) => Object.fromEntries(fields.map((each) => [each.name, valueOf(each)]));
	if (type === 'collection') return objectOf(options as INodeProperties[]);
	if (type === 'fixedCollection') {
		const [list] = options as [INodePropertyCollection];
		return { [list.name]: [objectOf(list.values)] };
	}
	return name === 'dryRun' ? false : value;
}

/** The paths to all values in parameters: to a collection, and to each field in it. */
function pathsIn(parameters: object): string[][] {
	return Object.entries(parameters).flatMap(([name, value]) => [
		[name],
		...(value && typeof value === 'object' ? pathsIn(value as object) : []).map((path) => [name, ...path]),
	]);
}

/** Each expression in the place of each value. */
function attemptsIn(fields: INodeProperties[], parameters: object, title: string): Attempt[] {
	const all = { ...Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])), ...parameters };
	return pathsIn(all).flatMap((path) =>
		EXPRESSIONS.map((expression) => {
			// Such as the way to specify Other Fields: without it, the field isn't read.
			const shown = Object.entries(fields.find(({ name }) => name === path[0])?.displayOptions?.show ?? {})
				.filter(([name]) => !['resource', 'operation', '@tool'].includes(name))
				.map(([name, values]) => [name, values![0]]);
			const tried = structuredClone({ ...all, ...Object.fromEntries(shown) }) as INodeParameters;
			const parent = path.slice(0, -1).reduce((at, step) => at[step] as INodeParameters, tried);
			parent[path.at(-1)!] = expression;
			return { parameters: tried, name: `${title} ${path.join('.')} ${expression}` };
		}),
	);
}

/** Of a declarative node; this one has none. */
const requestOptions = { timeout: 1000 };

const NODE_ATTEMPTS = [
	...everyOperation().flatMap((each) =>
		attemptsIn(each.fields, { ...parametersByPlaceholder(each), requestOptions }, each.operation),
	),
	...['nope', '__CUSTOM_API_CALL__'].flatMap((operation) =>
		attemptsIn([], { resource: 'customer', operation, requestOptions, toolDescription: '' }, operation),
	),
];

let service: Recorder;

const credential = () => credentialFor(service.url, { clientSecret: KEY });

const inEngine = (type: string, nodeType: INodeType) => async (parameters: INodeParameters) => {
	const nodes = [nodeOf('Voice Admin', type, { parameters })];
	return (await executeWorkflow({ nodes, types: { [type]: nodeType }, credential: credential() })).run;
};

/** How n8n runs a node. Each gives all that is stored and shown of a run. */
const WAYS: Array<[string, (nodeType: INodeType) => (parameters: INodeParameters) => Promise<unknown>]> = [
	['a node', (nodeType) => inEngine('voiceAdmin', nodeType)],
	['a tool in the engine', (nodeType) => inEngine('voiceAdminTool', toolVariant(nodeType))],
	[
		'a tool outside the engine',
		(node) => {
			const nodeType = toolVariant(node);
			return async (parameters) => {
				const tool = await toolOfAgent(parameters, credential(), {}, { nodeType });
				const result = await tool.invoke({}).catch((error: unknown) => error);
				return [tool.description, tool.schema.shape, tool.stored, result];
			};
		},
	],
];

const EVERYTHING = { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null };

/** Makes the attempts. @returns those that show the key or the token elsewhere than in a login or in a token header */
async function successful(attempts: Attempt[], make: (parameters: INodeParameters) => Promise<unknown>) {
	const log: unknown[] = [];
	// n8n-core puts its own logger in place when it is first used.
	jest.spyOn(LoggerProxy, 'init').mockImplementation(() => {});
	for (const level of ['debug', 'info', 'warn', 'error'] as const)
		jest.spyOn(LoggerProxy, level).mockImplementation((...line) => void log.push(line));
	const names: string[] = [];
	for (const { parameters, name } of attempts) {
		const result = await make(parameters).catch((error: unknown) => error);
		const requests = service.requests.splice(0);
		for (const { headers } of requests)
			if (headers.authorization === `Bearer ${RECORDED_TOKEN}`) delete headers.authorization;
		const seen = inspect([result, requests, log.splice(0)], EVERYTHING);
		if (seen.includes(KEY) || seen.includes(RECORDED_TOKEN)) names.push(name);
	}
	return names;
}

beforeEach(async () => {
	service = await startService((_request, response) => json(response, 200, { id: '1' }));
});

test.each(WAYS)('no expression in any parameter reads the key: %s', async (_name, way) => {
	expect(NODE_ATTEMPTS.length).toBeGreaterThan(1_000);
	expect(await successful(NODE_ATTEMPTS, way(loaded(new VoiceAdmin())))).toEqual([]);
	expect(service.logins.length).toBeGreaterThan(0);
});

test('no expression in any parameter reads the key: the trigger', async () => {
	const { properties } = new VoiceAdminTrigger().description;
	const attempts = attemptsIn(properties, { gatewayIds: '1' }, 'trigger');
	expect(attempts.length).toBeGreaterThan(150);
	const poll = async (parameters: INodeParameters) => {
		const polling = new Polling(parameters, credential());
		return [await polling.poll(), await polling.poll('manual'), polling.database];
	};
	expect(await successful(attempts, poll)).toEqual([]);
	expect(service.logins.length).toBeGreaterThan(0);
});

test.each(WAYS)("each of them reads it where n8n's routing executor runs the node: %s", async (_name, way) => {
	const node: INodeType = new VoiceAdmin();
	node.description.requestDefaults = { baseURL: '={{ $credentials.baseUrl }}' };
	node.execute = async function () {
		return (await new RoutingNode(this as ExecuteContext, node).runNode()) ?? [];
	};
	const attempts = NODE_ATTEMPTS.filter(({ name }) => name.startsWith('setPremium'));
	const read = await successful(attempts, way(node));
	expect(READING.filter((each) => !read.some((name) => name.endsWith(inBraces(each))))).toEqual([]);
});
