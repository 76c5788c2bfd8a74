import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from './until';

/** Where nginx runs: its folder, the port that it listens on, and that of the service behind it. */
interface Place {
	folder: string;
	port: number;
	upstream: number;
}

/** What is particular to one: directives for all requests, and servers beside it. */
interface Parts {
	location: string;
	servers?: string;
}

/** What a test does with an nginx that runs. */
export interface Running {
	url: string;
	/** All that it has written, its log of requests included. */
	log: () => string;
	/** Makes it read its configuration again. */
	reload: () => void;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** @param limit directives for requests; the zone `clients` has 10 a second */
export const inFront =
	(limit = '') =>
	({ upstream }: Place): Parts => ({ location: `${limit} proxy_pass http://127.0.0.1:${upstream};` });

/** In front of two servers in turn, of which the second gives its own error page, and so is not taken out. */
export const withBadBackend =
	(status: number) =>
	({ folder, upstream }: Place): Parts => ({
		servers: `
	upstream both { server 127.0.0.1:${upstream} max_fails=0; server unix:${folder}/bad max_fails=0; }
	server { listen unix:${folder}/bad; return ${status}; }`,
		location: 'proxy_next_upstream off; proxy_pass http://both;',
	});

const configOf = ({ folder, port }: Place, { location, servers = '' }: Parts) => `
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
	access_log ${folder}/log;
	${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
	limit_req_zone $binary_remote_addr zone=clients:1m rate=10r/s;
	${servers}
	server {
		listen 127.0.0.1:${port};
		location / { ${location} }
	}
}
`;

/** Where Debian has it beside PATH, which may be a user's. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Whether this machine has nginx. */
export const isInstalled = (): boolean =>
	FOLDERS.some((folder) => {
		try {
			return (accessSync(path.join(folder, 'nginx'), constants.X_OK), true);
		} catch {
			return false;
		}
	});

/** Becomes the program, which is ended when the pipe to it is closed: it is however this process ends. */
const LEASH = 'exec 3<&0; (read -r _ <&3; kill $$) & exec "$@" 3<&- </dev/null';

/** Runs nginx in front of a port of this machine for as long as the work takes, in a folder and on a port of its own. */
export async function behindNginx(
	partsOf: (at: Place) => Parts,
	upstream: number,
	work: (running: Running) => Promise<void>,
): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'nginx-'));
	// Started by root, it answers requests as another user.
	chmodSync(folder, 0o755);
	const place = { folder, port: await freePort(), upstream };
	const [config, logFile] = [path.join(folder, 'config'), path.join(folder, 'log')];
	writeFileSync(config, configOf(place, partsOf(place)));
	const output = openSync(logFile, 'a');
	const log = () => readFileSync(logFile, 'utf8');
	const args = ['-c', LEASH, 'sh', 'nginx', '-p', folder, '-e', 'stderr', '-g', 'daemon off;', '-c', config];
	const env = { ...process.env, PATH: FOLDERS.join(path.delimiter) };
	const child = spawn('/bin/sh', args, { cwd: folder, env, stdio: ['pipe', output, output] });
	const ended = once(child, 'exit');
	try {
		await until(
			async () => {
				if (child.exitCode !== null) throw new Error(`nginx ended: ${log()}`);
				return await isListening(place.port);
			},
			'nginx listens',
			20,
		);
		await work({ url: `http://127.0.0.1:${place.port}`, log, reload: () => child.kill('SIGHUP') });
	} finally {
		child.stdin!.end();
		await ended;
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A port outside of what the system gives to who asks for any: it is to be free still when the program listens. */
async function freePort(): Promise<number> {
	const port = 11_000 + Math.floor(Math.random() * 21_000);
	const server = createServer().listen(port, '127.0.0.1');
	return await once(server, 'listening').then(
		() => new Promise((resolve) => server.close(() => resolve(port))),
		freePort,
	);
}

async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	return await once(socket, 'connect')
		.then(
			() => true,
			() => false,
		)
		.finally(() => socket.destroy());
}
