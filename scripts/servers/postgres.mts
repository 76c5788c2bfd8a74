import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure, failureOf } from '../bootstrap/failure.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { runLogged, startLogged } from '../bootstrap/processes.mjs';
import { anyFreePort } from './ports.mts';
import { folderOf, pathFolders } from './programs.mts';
import { waitUntil } from './waiting.mts';

/** A server of one's own. */
export interface OwnServer {
	url: string;
	/** Ends it, and takes its folder away. */
	stop(): Promise<void>;
}

/** Where Debian keeps the server's programs, a folder per version, out of PATH. */
const DEBIAN = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;
const USER = 'n8n';

const SETTINGS = {
	listen_addresses: '127.0.0.1',
	// The path of a socket may have about 100 characters, and a clone's own path may be longer.
	unix_socket_directories: '',
	// Otherwise in /dev/shm, where a server that is killed leaves it.
	dynamic_shared_memory_type: 'mmap',
	// Nothing in it is to survive a power cut.
	fsync: 'off',
	max_connections: '100',
};

/** PostgreSQL does not run as root: then it is run as the account `nobody`, by its number on Linux. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

/**
 * To PostgreSQL SIGTERM means to wait for its clients to leave; it is to end with whoever started it, and in
 * order, because one that is killed leaves a piece of shared memory behind.
 */
const END_ON_SIGTERM = '"$@" & trap "kill -INT $!" TERM; wait $!; wait $!';

/** The folder with the programs of a PostgreSQL server: the one in PATH, otherwise Debian's newest. */
export async function findPostgres(): Promise<string | undefined> {
	const versions = (await readdir(DEBIAN).catch(() => [])).sort((one, other) => Number(other) - Number(one));
	return folderOf(['initdb', 'postgres'], [...pathFolders(), ...versions.map((version) => path.join(DEBIAN, version, 'bin'))]);
}

/**
 * Starts a PostgreSQL of one's own, empty, for this machine only.
 * @param wanted folder for all that it writes; for root another one, as nobody else may be allowed into a clone of root's
 */
export async function startPostgres(wanted: string): Promise<OwnServer> {
	const programs = await findPostgres();
	if (!programs) throw new Failure('PostgreSQL is not on this machine.');
	const folder = isRoot ? await mkdtemp('/tmp/n8n-nodes-voice-admin-') : wanted;
	await mkdir(folder, { recursive: true });
	const remove = async () => await rm(folder, { recursive: true, force: true });
	try {
		const [data, passwordFile] = [path.join(folder, 'data'), path.join(folder, 'password')];
		const password = randomBytes(16).toString('hex');
		await writeFile(passwordFile, password, { mode: 0o600 });
		if (isRoot) for (const file of [folder, passwordFile]) await chown(file, NOBODY, NOBODY);

		const surroundings = { cwd: folder, env: runEnvironment() };
		const args = [`--pgdata=${data}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
		const made = await runLogged(...unprivileged([path.join(programs, 'initdb'), ...args]), { ...surroundings, log: 'initdb' });
		if (made.code !== 0) throw failureOf('PostgreSQL could not make its data folder; the lines above say why.', made);

		const port = await anyFreePort();
		const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
		const command = ['sh', '-c', END_ON_SIGTERM, 'sh', path.join(programs, 'postgres'), '-D', data, ...settings];
		const server = startLogged(...unprivileged(command), { ...surroundings, log: 'postgres' });
		const isReady = async () => server.output().includes('database system is ready to accept connections');
		await waitUntil(isReady, { what: 'PostgreSQL', process: server, withinMs: READY_WITHIN_MS });
		const stop = async () => {
			await server.stop();
			await remove();
		};
		return { url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`, stop };
	} catch (error) {
		await remove();
		throw error;
	}
}

/** Of a command, the one that runs it as somebody else than root, with the same process id: its program, and its arguments. */
export function unprivileged(command: string[]): [string, string[]] {
	const all = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...command] : command;
	return [all[0]!, all.slice(1)];
}
