import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

const root = join(__dirname, '../..');
const yaml = <T>(file: string) => parse(readFileSync(join(root, '.github', file), 'utf8')) as T;

interface Form {
	name: string;
	description: string;
	body: Array<{ type: string; id?: string; attributes: { label?: string; value?: string } }>;
}

describe('the issue forms', () => {
	const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml');

	test.each(forms)('%s has what GitHub asks of a form', (file) => {
		const { name, description, body } = yaml<Form>(`ISSUE_TEMPLATE/${file}`);
		expect([name, description]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
		for (const { type, attributes } of body) {
			expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
			expect(type === 'markdown' ? attributes.value : attributes.label).toMatch(/\S/);
		}
		const ids = body.filter(({ type }) => type !== 'markdown').map(({ id }) => id);
		expect(ids).not.toContain(undefined);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test('keep vulnerabilities out of public issues', () => {
		const { blank_issues_enabled, contact_links } = yaml<{ blank_issues_enabled: boolean;
			contact_links: Array<{ url: string }> }>('ISSUE_TEMPLATE/config.yml');
		expect(blank_issues_enabled).toBe(false);
		expect(contact_links.map(({ url }) => url)).toContainEqual(expect.stringMatching(/\/security\/advisories\/new$/));
	});
});

describe('Dependabot', () => {
	interface Update {
		ignore?: Array<{ 'dependency-name': string }>;
	}
	const { updates } = yaml<{ updates: Update[] }>('dependabot.yml');
	const ignored = updates.flatMap(({ ignore = [] }) => ignore.map((each) => each['dependency-name']));

	test.each(ignored)('leaves %s alone, for a reason that CONTRIBUTING gives', (name) => {
		const [, pins = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Versions that are pinned, and why');
		expect(pins).toContain(`\`${name}\``);
		const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, unknown> };
		expect(packages).toHaveProperty([`node_modules/${name}`]);
	});
});
