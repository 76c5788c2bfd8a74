import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';

import { inTemporaryFolder, ROOT, run } from '../scripts/run';

/** What the build and the packing read, and what npm packs beside it. */
const JSON_FILES = '(package|package-lock|tsconfig|tsconfig\\.build)\\.json';
const SOURCES = new RegExp(`^(nodes|credentials|scripts|${JSON_FILES}|gulpfile\\.js|(README|LICENSE|CHANGELOG)(\\..+)?)$`);

interface Machine {
	/** Of who clones and builds; files of the clone have the mode that it leaves them. */
	umask: number;
	/** When the clone was made. */
	cloned: Date;
	env: NodeJS.ProcessEnv;
}

/** As `npm run release:build` makes the tarball. */
const BUILD_AND_PACK = `
	const { ensureBuilt, packPackage } = await import('./scripts/install/tarball.mts');
	await ensureBuilt();
	await packPackage(process.cwd());
`;

/** Clones, builds and packs as on some machine. Returns the tarball's SHA-256. */
async function tarballBuiltOn({ umask, cloned, env }: Machine, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const sources = (await readdir(ROOT)).filter((entry) => SOURCES.test(entry));
	for (const name of sources) await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const file = path.join(entry.parentPath, entry.name);
		await chmod(file, (entry.isDirectory() ? 0o777 : 0o666) & ~umask);
		await utimes(file, cloned, cloned);
	}
	await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
	const command = `umask ${umask.toString(8)} && exec node --import tsx --input-type=module --eval "$1"`;
	const { code, output } = await run('sh', ['-c', command, 'sh', BUILD_AND_PACK], env, folder);
	if (code !== 0) throw new Error(output);
	const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
	return createHash('sha256').update(await readFile(path.join(folder, tarball!))).digest('hex');
}

test('two clones, built on two machines, give the same tarball, byte for byte', async () => {
	await inTemporaryFolder(async (folder) => {
		const usual = { umask: 0o022, cloned: new Date('2026-01-31T10:00:00Z'), env: { TZ: 'UTC', LC_ALL: 'C' } };
		const other = { umask: 0o077, cloned: new Date('2001-06-30T23:59:59Z'), env: { TZ: 'Asia/Tokyo', LC_ALL: 'it_IT.UTF-8' } };
		const first = await tarballBuiltOn(usual, path.join(folder, 'a'));
		expect(await tarballBuiltOn(other, path.join(folder, 'a folder', 'with a longer name'))).toBe(first);
	});
});
