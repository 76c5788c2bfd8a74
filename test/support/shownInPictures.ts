import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { INode } from 'n8n-workflow';

import { VoiceAdminApi } from '../../credentials/VoiceAdminApi.credentials';
import { createCustomer } from '../../nodes/VoiceAdmin/operations/customer/create';
import { getDssGateway } from '../../nodes/VoiceAdmin/operations/dssGateway/get';
import { setPremiumDssTrunk } from '../../nodes/VoiceAdmin/operations/dssTrunk/setPremium';
import { noticeFields } from '../../nodes/VoiceAdmin/operations/noticeFields';
import { toolDescriptionField } from '../../nodes/VoiceAdmin/operations/toolDescription';
import { VoiceAdminTrigger } from '../../nodes/VoiceAdmin/VoiceAdminTrigger.node';
import { FAULTS } from '../../sandbox/faults/faults';

/** For each picture of the documents, a hash of the texts that it showed when it was taken. */
export const TAKEN = 'docs/images.json';

const textOf = (file: string) => readFileSync(path.join(__dirname, '../..', file), 'utf8');

/** What n8n's editor shows of fields without a click: no tooltips. */
const LABELS = [
	'option',
	'fields',
	'displayName',
	'name',
	'placeholder',
	'hint',
	'options',
	'values',
	'modes',
	'default',
];
const labelsOf = (description: object) => JSON.stringify(description, LABELS);

function canvasOf(example: string): unknown {
	const { nodes, connections } = JSON.parse(textOf(`examples/${example}.json`)) as {
		nodes: INode[];
		connections: object;
	};
	const shown = nodes.map(({ name, type, position, parameters: { content, width, height } }) => {
		return [name, type, position, content, width, height];
	});
	return [shown, connections];
}

/** Those in the pictures; there may be more. */
const ACTIONS = [createCustomer, getDssGateway].map(({ option }) => option.action);

/** By the picture's name. What n8n itself shows, and what the code of a page makes of these texts, is not in it. */
const TEXTS: Record<string, () => unknown> = {
	credential: () => labelsOf(new VoiceAdminApi().properties),
	error: () => [labelsOf(setPremiumDssTrunk), noticeFields(setPremiumDssTrunk)[0]],
	'first-run': () => [new VoiceAdminTrigger().description.description, ACTIONS, labelsOf(getDssGateway)],
	importing: () => 'Read a list',
	sandbox: () => [
		textOf('sandbox/public/index.html').replace(/\s+/g, ' '),
		JSON.stringify(Object.values(FAULTS), ['title', 'does', 'label']),
	],
	'set-premium': () => [labelsOf(setPremiumDssTrunk), noticeFields(setPremiumDssTrunk)[0]],
	tool: () => [
		labelsOf(setPremiumDssTrunk),
		noticeFields(setPremiumDssTrunk)[1],
		toolDescriptionField(setPremiumDssTrunk).default,
	],
	tour: () => canvasOf('tour'),
	trigger: () => labelsOf(new VoiceAdminTrigger().description.properties),
};

/** @param picture its name without its ending, in the light theme or the dark */
export function hashOfShown(picture: string): string {
	const name = picture.replace(/-dark$/, '');
	const texts = name.startsWith('example-') ? canvasOf(name.replace('example-', '')) : TEXTS[name]!();
	return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 8);
}
