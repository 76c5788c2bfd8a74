import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { until } from './until';

/** Where a proxy runs: its folder, the port that it listens on, and that of the service behind it. */
interface Place {
	folder: string;
	port: number;
	upstream: number;
}

/** A real proxy with its configuration. */
export interface Proxy {
	program: 'nginx' | 'haproxy';
	/** Those before the name of the file with the configuration. */
	args: (at: Place) => string[];
	config: (at: Place) => string;
	/** What makes it read its configuration again. */
	reload?: NodeJS.Signals;
}

/** What a test does with a proxy that runs. */
export interface Running {
	url: string;
	/** All that it has written, its log of requests included. */
	log: () => string;
	reload: () => void;
	/** Where the proxy runs. */
	folder: string;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** What is particular to one: directives for all requests, and servers beside it. */
interface NginxParts {
	location: string;
	servers?: string;
}

const nginxWith = (parts: (at: Place) => NginxParts): Proxy => ({
	program: 'nginx',
	args: ({ folder }) => ['-p', folder, '-e', 'stderr', '-g', 'daemon off;', '-c'],
	reload: 'SIGHUP',
	config(at) {
		const { folder, port } = at;
		const { location, servers = '' } = parts(at);
		return `
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
	},
});

/** @param limit directives for requests; the zone `clients` has 10 a second */
export const nginx = (limit = ''): Proxy =>
	nginxWith(({ upstream }) => ({ location: `${limit} proxy_pass http://127.0.0.1:${upstream};` }));

/** With a page in place of the service for as long as there is a file of this name in its folder. */
export const MAINTENANCE = 'maintenance';

const PAGES: Record<number, string> = {
	200: '200 "<!DOCTYPE html><html><head><title>Maintenance</title></head><body><h1>We are back soon</h1></body></html>"',
	302: '302 /maintenance.html',
};

/** @param status that of the maintenance page */
export const nginxWithMaintenance = (status: number): Proxy =>
	nginxWith(({ folder, upstream }) => ({
		location: `
			default_type text/html;
			if (-f ${folder}/${MAINTENANCE}) { return ${PAGES[status] ?? status}; }
			proxy_pass http://127.0.0.1:${upstream};`,
	}));

/** In front of two servers in turn, of which the second gives its own error page, and so is not taken out. */
export const nginxWithBadBackend = (status: number): Proxy =>
	nginxWith(({ folder, upstream }) => ({
		servers: `
	upstream both { server 127.0.0.1:${upstream} max_fails=0; server unix:${folder}/bad max_fails=0; }
	server { listen unix:${folder}/bad; return ${status}; }`,
		location: 'proxy_next_upstream off; proxy_pass http://both;',
	}));

/** @param rules for requests, one a line */
export const haproxy = (...rules: string[]): Proxy => ({
	program: 'haproxy',
	args: () => ['-W', '-db', '-f'],
	reload: 'SIGUSR2',
	config: ({ folder, port, upstream }) => `
global
	stats socket ${folder}/socket expose-fd listeners
	log stdout format raw local0
defaults
	mode http
	log global
	option httplog
	timeout connect 5s
	timeout client 60s
	timeout server 60s
listen clients
	bind 127.0.0.1:${port}
	${rules.join('\n\t')}
	server sandbox 127.0.0.1:${upstream}
`,
});

/** Where Debian has them beside PATH, which may be a user's. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Whether this machine has the program. */
export const isInstalled = (program: string): boolean =>
	FOLDERS.some((folder) => {
		try {
			return (accessSync(path.join(folder, program), constants.X_OK), true);
		} catch {
			return false;
		}
	});

/** Becomes the program, which is ended when the pipe to it is closed: it is however this process ends. */
const LEASH = 'exec 3<&0; (read -r _ <&3; kill $$) & exec "$@" 3<&- </dev/null';

/** Runs a proxy in front of a port of this machine for as long as the work takes, in a folder and on a port of its own. */
export async function behind(proxy: Proxy, upstream: number, work: (running: Running) => Promise<void>): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'proxy-'));
	// Started by root, nginx answers requests as another user.
	chmodSync(folder, 0o755);
	const place = { folder, port: await freePort(), upstream };
	const [config, logFile] = [path.join(folder, 'config'), path.join(folder, 'log')];
	writeFileSync(config, proxy.config(place));
	const output = openSync(logFile, 'a');
	const log = () => readFileSync(logFile, 'utf8');
	const args = ['-c', LEASH, 'sh', proxy.program, ...proxy.args(place), config];
	const env = { ...process.env, PATH: FOLDERS.join(path.delimiter) };
	const child = spawn('/bin/sh', args, { cwd: folder, env, stdio: ['pipe', output, output] });
	const ended = once(child, 'exit');
	try {
		await until(
			async () => {
				if (child.exitCode !== null) throw new Error(`${proxy.program} ended: ${log()}`);
				return await isListening(place.port);
			},
			`${proxy.program} listens`,
			20,
		);
		await work({ url: `http://127.0.0.1:${place.port}`, log, reload: () => child.kill(proxy.reload), folder });
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
