import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTemporaryFolder, ROOT, run, runNode, runScript } from '../scripts/run';

const { name, version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
	name: string;
	version: string;
};
const sha256 = async (file: string) =>
	createHash('sha256')
		.update(await readFile(file))
		.digest('hex');
const gate = pathToFileURL(path.join(ROOT, 'scripts', 'commands', 'release.mts')).href;

describe('npm run release:build', () => {
	const folder = path.join(ROOT, '.cache', 'release');

	test('makes the tarball, the notes and their sums', async () => {
		const { code, output } = await runScript('release:build');
		expect(`${code} ${output}`).toMatch(/^0 [^]*✓ \.cache\/release\n/);
		expect(output).not.toContain('gate');
		expect((await readdir(folder)).sort()).toEqual(['NOTES.md', 'SHA256SUMS', `${name}-${version}.tgz`]);
		const files = [`${name}-${version}.tgz`, 'NOTES.md'];
		const sums = await Promise.all(files.map(async (file) => `${await sha256(path.join(folder, file))}  ${file}\n`));
		expect(await readFile(path.join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''));
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
			const program = `import(${JSON.stringify(gate)}).then(async ({ scanPackage }) => console.log(await scanPackage(${tarball})))`;
			const { output } = await runNode(['--import', 'tsx', '--eval', program]);
			expect(output).toMatch(
				/^✓ gate on the sources.*\n✗ gate on the packed tarball: [^]*no-runtime-dependencies[^]*\nfalse\n$/,
			);
		});
	});
});

/** What the build and the packing read, and what npm packs beside it. */
const SOURCES = [
	'nodes',
	'credentials',
	'scripts',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'tsconfig.build.json',
	'gulpfile.js',
	'README.md',
	'LICENSE',
	'CHANGELOG.md',
];

interface Machine {
	/** Of who clones and builds; files of the clone have the mode that it leaves them. */
	umask: number;
	/** When the clone was made. */
	cloned: Date;
	env: NodeJS.ProcessEnv;
}

/** As `npm run release:build` makes the tarball. */
const BUILD_AND_PACK = `
	const { buildTarball } = await import('./scripts/install/package.mts');
	await buildTarball(process.cwd());
`;

/** Clones, builds and packs as on some machine. Returns the tarball's SHA-256. */
async function tarballBuiltOn({ umask, cloned, env }: Machine, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	for (const source of SOURCES) await cp(path.join(ROOT, source), path.join(folder, source), { recursive: true });
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const file = path.join(entry.parentPath, entry.name);
		await chmod(file, (entry.isDirectory() ? 0o777 : 0o666) & ~umask);
		await utimes(file, cloned, cloned);
	}
	await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
	const command = `umask ${umask.toString(8)} && exec node --import tsx --input-type=module --eval "$1"`;
	const { code, output } = await run('sh', ['-c', command, 'sh', BUILD_AND_PACK], env, folder);
	if (code !== 0) throw new Error(output);
	const [tarball] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
	return await sha256(path.join(folder, tarball!));
}

test('two clones, built on two machines, give the same tarball, byte for byte', async () => {
	await inTemporaryFolder(async (folder) => {
		const usual = { umask: 0o022, cloned: new Date('2026-01-31T10:00:00Z'), env: { TZ: 'UTC', LC_ALL: 'C' } };
		const other = {
			umask: 0o077,
			cloned: new Date('2001-06-30T23:59:59Z'),
			env: { TZ: 'Asia/Tokyo', LC_ALL: 'it_IT.UTF-8' },
		};
		const first = await tarballBuiltOn(usual, path.join(folder, 'a'));
		expect(await tarballBuiltOn(other, path.join(folder, 'a folder', 'with a longer name'))).toBe(first);
	});
});
