import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { inTemporaryFolder, ROOT, run, runNode, runScript } from '../scripts/run';

const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { name: string; version: string };
const gate = pathToFileURL(path.join(ROOT, 'scripts', 'release', 'gate.mts')).href;

describe('npm run sbom', () => {
	const sbomIn = async (folder: string) => {
		const { code, output } = await runScript('sbom', ['--output', path.join(folder, 'sbom.json')]);
		if (code !== 0) throw new Error(output);
		return await readFile(path.join(folder, 'sbom.json'), 'utf8');
	};

	test('lists what is delivered: the package and nothing else; the same each time, and nothing of the machine', async () => {
		const sbom = await inTemporaryFolder(sbomIn);
		const purl = expect.stringContaining(`pkg:npm/${name}@${version}`) as string;
		const licenses = [{ license: { id: 'MIT' } }];
		expect(JSON.parse(sbom)).toMatchObject({
			bomFormat: 'CycloneDX',
			specVersion: '1.5',
			metadata: { component: { type: 'library', name, version, purl, licenses } },
			components: [],
			dependencies: [{ ref: `${name}@${version}`, dependsOn: [] }],
		});
		expect(await inTemporaryFolder(sbomIn)).toBe(sbom);
		expect(sbom).not.toContain(ROOT);
		for (const varying of ['serialNumber', 'metadata.timestamp']) expect(JSON.parse(sbom)).not.toHaveProperty(varying);
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
	});

	test('runs the gate on the tarball that it is given, and heeds it', async () => {
		await inTemporaryFolder(async (bad) => {
			await mkdir(path.join(bad, 'package'));
			const manifest = { name: 'n8n-nodes-bad', version: '1.0.0', dependencies: { axios: '1.0.0' } };
			await writeFile(path.join(bad, 'package', 'package.json'), JSON.stringify(manifest));
			await writeFile(path.join(bad, 'package', 'index.js'), 'console.log(process.env);\n');
			await run('tar', ['-czf', 'bad.tgz', 'package'], {}, bad);
			const tarball = JSON.stringify(path.join(bad, 'bad.tgz'));
			const program = `import(${JSON.stringify(gate)}).then(async ({ scan }) => console.log(await scan(${tarball})))`;
			const { output } = await runNode(['--import', 'tsx', '--eval', program]);
			expect(output).toMatch(/^✓ gate on the sources.*\n✗ gate on the packed tarball: [^]*no-runtime-dependencies[^]*\nfalse\n$/);
		});
	});
});
