import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure, failureOf } from '../bootstrap/failure.mjs';
import { runEnvironment } from '../bootstrap/environment.mjs';
import { anyFreePort } from '../lib/ports.mts';
import { runLogged, startLogged } from '../bootstrap/processes.mjs';
import { waitUntil } from '../lib/waiting.mts';
import { folderOf, giveToUnprivileged, pathFolders, reachableFolder, unprivileged } from './programs.mts';

/** A server of one's own. */
export interface OwnServer {
	url: string;
	/** Ends it, and takes its folder away. */
	stop(): Promise<void>;
}

/** Where Debian and Homebrew keep the server's programs, a folder per version, out of PATH. */
const PLACES = [
	{ folder: '/usr/lib/postgresql', version: /^\d+$/ },
	{ folder: '/opt/homebrew/opt', version: /^postgresql@\d+$/ },
	{ folder: '/usr/local/opt', version: /^postgresql@\d+$/ },
];

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

/**
 * To PostgreSQL SIGTERM means to wait for its clients to leave; it is to end with whoever started it, and in
 * order, because one that is killed leaves a piece of shared memory behind.
 */
const END_ON_SIGTERM = '"$@" & trap "kill -INT $!" TERM; wait $!; wait $!';

/** The folder with the programs of a PostgreSQL server: the one in PATH, otherwise the newest on this machine. */
export async function findPostgres(): Promise<string | undefined> {
	const installed = await Promise.all(
		PLACES.map(async ({ folder, version }) => {
			const names = (await readdir(folder).catch(() => [])).filter((name) => version.test(name));
			return names.sort((a, b) => numberIn(b) - numberIn(a)).map((name) => path.join(folder, name, 'bin'));
		}),
	);
	return folderOf(['initdb', 'postgres'], [...pathFolders(), ...installed.flat()]);
}

const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0]);

/**
 * Starts a PostgreSQL of one's own, empty, for this machine only.
 * @param wanted folder for its data, if its account can enter it
 */
export async function startPostgres(wanted: string): Promise<OwnServer> {
	const programs = await findPostgres();
	if (!programs) throw new Failure('PostgreSQL is not on this machine.');
	const folder = reachableFolder(wanted);
	const remove = async () => await rm(folder, { recursive: true, force: true });
	try {
		const password = randomBytes(16).toString('hex');
		await makeCluster(path.join(programs, 'initdb'), folder, password);
		const port = await anyFreePort();
		const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
		const server = startLogged(...unprivileged(['sh', '-c', END_ON_SIGTERM, 'sh', path.join(programs, 'postgres'), '-D', folder, ...settings]), {
			log: 'postgres',
			cwd: folder,
			env: runEnvironment(),
		});
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

async function makeCluster(initdb: string, folder: string, password: string): Promise<void> {
	const passwordFile = `${folder}.password`;
	try {
		await writeFile(passwordFile, password, { mode: 0o600 });
		for (const file of [folder, passwordFile]) giveToUnprivileged(file);
		const args = [`--pgdata=${folder}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
		const result = await runLogged(...unprivileged([initdb, ...args]), { log: 'initdb', cwd: path.dirname(folder), env: runEnvironment() });
		if (result.code !== 0) throw failureOf('PostgreSQL could not make its data folder; the lines above say why.', result);
	} finally {
		await rm(passwordFile, { force: true });
	}
}
