import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { inTemporaryFolder, ROOT, run, runNode, runScript } from '../scripts/run';

const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
const gate = pathToFileURL(path.join(ROOT, 'scripts', 'release', 'gate.mts')).href;

interface Sbom {
	bomFormat: string;
	specVersion: string;
	serialNumber?: string;
	metadata: { timestamp?: string; component: Record<string, unknown> };
	components: unknown[];
	dependencies: unknown[];
}

describe('npm run sbom', () => {
	const sbomIn = async (folder: string) => {
		const { code, output } = await runScript('sbom', ['--output', path.join(folder, 'sbom.json')]);
		if (code !== 0) throw new Error(output);
		return await readFile(path.join(folder, 'sbom.json'), 'utf8');
	};

	test('lists what is delivered: the package and nothing else', async () => {
		const sbom = JSON.parse(await inTemporaryFolder(sbomIn)) as Sbom;
		expect([sbom.bomFormat, sbom.specVersion]).toEqual(['CycloneDX', '1.5']);
		expect(sbom.metadata.component).toMatchObject({ type: 'library', name, version, licenses: [{ license: { id: 'MIT' } }] });
		expect(sbom.metadata.component.purl).toMatch(`pkg:npm/${name}@${version}`);
		expect(sbom.components).toEqual([]);
		expect(sbom.dependencies).toEqual([{ ref: `${name}@${version}`, dependsOn: [] }]);
	});

	test('is the same each time, and holds nothing of the machine that wrote it', async () => {
		const first = await inTemporaryFolder(sbomIn);
		expect(await inTemporaryFolder(sbomIn)).toBe(first);
		expect(first).not.toContain(ROOT);
		const { serialNumber, metadata } = JSON.parse(first) as Sbom;
		expect([serialNumber, metadata.timestamp]).toEqual([undefined, undefined]);
	});
});

describe('npm run release:build', () => {
	const folder = path.join(ROOT, '.cache', 'release');

	test('makes the tarball, its bill of materials, their sums and the notes', async () => {
		const { code, output } = await runScript('release:build');
		expect(`${code} ${output}`).toMatch(/^0 [^]*✓ gate on the packed tarball/);
		expect((await readdir(folder)).sort()).toEqual(['NOTES.md', 'SHA256SUMS', `${name}-${version}.cdx.json`, `${name}-${version}.tgz`]);
		const sums = await readFile(path.join(folder, 'SHA256SUMS'), 'utf8');
		const sumOf = async (file: string) => `${createHash('sha256').update(await readFile(path.join(folder, file))).digest('hex')}  ${file}\n`;
		expect(sums).toBe((await sumOf(`${name}-${version}.tgz`)) + (await sumOf(`${name}-${version}.cdx.json`)) + (await sumOf('NOTES.md')));
		expect(await readFile(path.join(folder, 'NOTES.md'), 'utf8')).toMatch(/^(\S.*\n)/);
	}, 1_200_000);

	test('runs the gate on the tarball that it is given, and heeds it', async () => {
		await inTemporaryFolder(async (bad) => {
			await mkdir(path.join(bad, 'package'));
			await writeFile(path.join(bad, 'package', 'package.json'), JSON.stringify({ name: 'n8n-nodes-bad', version: '1.0.0', dependencies: { axios: '1.0.0' } }));
			await writeFile(path.join(bad, 'package', 'index.js'), 'console.log(process.env);\n');
			await run('tar', ['-czf', 'bad.tgz', 'package'], {}, bad);
			const program = `import(${JSON.stringify(gate)}).then(async ({ scan }) => console.log(await scan(${JSON.stringify(path.join(bad, 'bad.tgz'))})))`;
			const { output } = await runNode(['--import', 'tsx', '--eval', program]);
			expect(output).toMatch(/^✓ gate on the sources.*\n✗ gate on the packed tarball: [^]*no-runtime-dependencies[^]*\nfalse\n$/);
		});
	}, 1_200_000);
});
