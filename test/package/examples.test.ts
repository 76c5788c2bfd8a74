import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import * as babel from 'prettier/plugins/babel';
import * as estree from 'prettier/plugins/estree';
import { format } from 'prettier/standalone';

import { VoiceAdmin } from '../../nodes/VoiceAdmin/VoiceAdmin.node';
import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { FILES, textOf } from './documents';

interface Workflow {
	id?: string;
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }> | null>>>;
	pinData?: object;
	meta?: { instanceId?: string };
}

/** The tour is the demo's own: it has an id and the demo's credentials, so that each start replaces it. */
const TOUR = 'examples/tour.json';

const files = FILES.filter((file) => /^examples\/[^/]*\.json$/.test(file));
const workflowOf = (file: string) => JSON.parse(textOf(file)) as Workflow;

const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
const SUB_WORKFLOW = 'n8n-nodes-base.executeWorkflow';
const isOurs = ({ type }: INode) => type.startsWith('n8n-nodes-voice-admin.');

/** Parameters that n8n adds to an agent's tool, and to a node that polls. */
const OF_N8N = ['descriptionType', 'toolDescription', 'pollTimes'];

const DESCRIPTIONS = new Map<string, INodeTypeDescription>(
	[new VoiceAdmin(), new VoiceAdminTrigger()].map(({ description }) => [
		`n8n-nodes-voice-admin.${description.name}`,
		description,
	]),
);

function descriptionOf(node: INode): INodeTypeDescription {
	const description = DESCRIPTIONS.get(node.type.replace(/Tool$/, ''));
	if (!description) throw new Error(`The package has no node ${node.type}`);
	return description;
}

/** Parameters that the description of a node does not know, does not show beside the others, or knows with other values. */
function unknownParameters(node: INode): string[] {
	const description = descriptionOf(node);
	// n8n fills in the defaults of what is not saved before it decides what is shown.
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	)!;
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, node, description),
	);
	return Object.keys(node.parameters).filter((name) => {
		const property = shown.find((each) => each.name === name);
		if (!property) return !OF_N8N.includes(name);
		return (
			property.type === 'options' &&
			!property.options!.some((option) => 'value' in option && option.value === values[name])
		);
	});
}

test('README of the examples has a row for each, and none for others', () => {
	const rows = [...textOf('examples/README.md').matchAll(/^\| [^|]+ \| \[([\w-]+\.json)\]\(\1\) +\|/gm)];
	expect(rows.map(([, file]) => `examples/${file}`).sort()).toEqual([...files].sort());
});

/** JavaScript of the Code nodes of a workflow. */
const codeOf = (file: string) =>
	workflowOf(file).nodes.flatMap(({ parameters: { jsCode } }) => (typeof jsCode === 'string' ? [jsCode] : []));

test('all examples together have at most 1,040 lines of JavaScript, formatted by Prettier, and no Code node stands twice', async () => {
	const code = files.flatMap(codeOf);
	expect(code.join('\n').split('\n').length).toBeLessThanOrEqual(1_040);
	expect(code).toEqual([...new Set(code)]);
	// It may return and await, as in a function, whose indentation it doesn't have.
	const options = { parser: 'babel', plugins: [babel, estree], singleQuote: true, useTabs: true, printWidth: 122 };
	for (const each of code.map((body) => `async () => {\n${body}\n};\n`))
		expect((await format(each, options)).replace(/^\t/gm, '')).toBe(each);
});

describe.each(files)('%s', (file) => {
	const workflow = workflowOf(file);
	const nodes = workflow.nodes.filter((node) => !isNote(node));

	test('has nodes with names of their own, all of them connected', () => {
		const names = workflow.nodes.map(({ name }) => name);
		expect(names).toEqual([...new Set(names)]);
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(names.length);
		const ends = Object.entries(workflow.connections).flatMap(([from, kinds]) => [
			from,
			...Object.values(kinds)
				.flat(2)
				.map((end) => end?.node ?? ''),
		]);
		expect([...new Set(ends)].sort()).toEqual(nodes.map(({ name }) => name).sort());
	});

	test('gives the nodes of this package what they know', () => {
		const ours = nodes.filter(isOurs);
		// Those that have none call one that has.
		if (!nodes.some(({ type }) => type.startsWith(SUB_WORKFLOW) || type.endsWith('.dataTable')))
			expect(ours).not.toEqual([]);
		expect(ours.flatMap((node) => unknownParameters(node).map((wrong) => `${node.name}: ${wrong}`))).toEqual([]);
		for (const node of ours) expect([node.name, descriptionOf(node).version].flat()).toContain(node.typeVersion);
	});

	test('brings no data, secret or address of whoever made it, and is not active', () => {
		expect(workflow).toMatchObject({ active: false });
		expect(workflow.pinData ?? {}).toEqual({});
		expect(workflow.meta?.instanceId).toBeUndefined();
		expect(textOf(file)).not.toMatch(/not-a-secret|\bsk-|\beyJ|https?:\/\/|127\.0\.0\.1|localhost/);
	});

	test('never creates a customer by a node that is run again when it fails', () => {
		expect(nodes.filter(({ parameters, retryOnFail }) => parameters.operation === 'add' && retryOnFail)).toEqual([]);
	});
});

describe.each(files.filter((file) => file !== TOUR))('%s, which is for others to import', (file) => {
	const workflow = workflowOf(file);

	test('is small enough for a person to own: at most 20 nodes', () => {
		expect(workflow.nodes.filter((node) => !isNote(node)).length).toBeLessThanOrEqual(20);
	});

	test('writes to a data table by the names of its items, which stay when the editor refreshes its columns', () => {
		const rows = workflow.nodes.filter(
			({ type, parameters }) => type.endsWith('.dataTable') && parameters.resource === 'row',
		);
		for (const each of rows.flatMap(({ parameters }) => parameters.columns ?? []))
			expect(each).toMatchObject({ mappingMode: 'autoMapInputData' });
	});

	test('calls another example by the name of its node, which a person selects: an imported file has no id that n8n knows', () => {
		const calling = workflow.nodes.filter(({ type }) => type === SUB_WORKFLOW);
		expect(files.map((each) => workflowOf(each).name)).toEqual(expect.arrayContaining(calling.map(({ name }) => name)));
		for (const { parameters } of calling)
			expect(parameters.workflowId).toEqual({ __rl: true, mode: 'list', value: '' });
	});

	test('asks for an authentication wherever it is called from outside, except in a form for applicants', () => {
		const called = workflow.nodes.filter(({ type }) => /\.(formTrigger|webhook)$/.test(type));
		const isPublic = /customers-from-form|customer-basic/.test(file);
		for (const { parameters } of called) expect(parameters.authentication).toBe(isPublic ? undefined : 'basicAuth');
	});

	test('asks for credentials by the name that n8n gives them, and by no id', () => {
		const credentials = workflow.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		for (const { id, name } of credentials) expect([id, name]).toEqual(['', expect.stringMatching(/ account$/)]);
		const without = workflow.nodes.filter((node) => isOurs(node) && !node.credentials?.voiceAdminApi);
		expect(without).toEqual([]);
	});
});
