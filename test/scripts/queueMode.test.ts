import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { evaluate, inTemporaryFolder, ROOT, run, runScript } from './run';

const RUNNING = { REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgresql://n8n@127.0.0.1/n8n' };

/** What is said on a machine with nothing in PATH but Node. */
async function onBareMachine(script: string, expression: string, env: NodeJS.ProcessEnv): Promise<unknown> {
	return await inTemporaryFolder(async (folder) => {
		await symlink(process.execPath, path.join(folder, 'node'));
		return await evaluate(script, expression, { ...env, PATH: folder });
	});
}

describe('npm run e2e:queue without what it needs', () => {
	const missing = async (env: NodeJS.ProcessEnv) => await onBareMachine('servers/queueServers.mts', 'module.requireServers()', env);

	it('says how to install Redis', async () => {
		expect(await missing({ ...RUNNING, REDIS_URL: '' })).toBe(
			"n8n's queue mode needs Redis, which this machine does not have.\n" +
				'  Debian, Ubuntu: sudo apt-get install redis-server\n' +
				'  or name a running one: REDIS_URL=redis://… npm run e2e:queue',
		);
	});

	it('ends with exit code 1, before anything is installed', async () => {
		await inTemporaryFolder(async (folder) => {
			const ended = await runScript('e2e:queue', [], { ...RUNNING, REDIS_URL: '', PATH: folder });
			expect(ended.code).toBe(1);
			expect(ended.output.trim()).toMatch(/^n8n's queue mode needs Redis/);
		});
	});

	it('needs nothing on the machine when it is told of running servers', async () => {
		expect(await missing(RUNNING)).toBeUndefined();
	});
});

describe('the settings of the queue mode', () => {
	it('are taken from the URLs of the servers', async () => {
		const settings = await evaluate(
			'n8n/queueSettings.mts',
			"module.queueSettings({ redis: 'rediss://user:p%40ss@redis.example:6380/2', database: 'postgresql://me:s%2Fecret@db.example/main?sslmode=require', encryptionKey: 'key', space: 'own' })",
		);
		expect(settings).toEqual({
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: 'key',
			QUEUE_BULL_REDIS_HOST: 'redis.example',
			QUEUE_BULL_REDIS_PORT: '6380',
			QUEUE_BULL_REDIS_DB: '2',
			QUEUE_BULL_REDIS_USERNAME: 'user',
			QUEUE_BULL_REDIS_PASSWORD: 'p@ss',
			QUEUE_BULL_REDIS_TLS: 'true',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: 'db.example',
			DB_POSTGRESDB_PORT: '5432',
			DB_POSTGRESDB_DATABASE: 'main',
			DB_POSTGRESDB_USER: 'me',
			DB_POSTGRESDB_PASSWORD: 's/ecret',
			DB_POSTGRESDB_SSL_ENABLED: 'true',
			QUEUE_BULL_PREFIX: 'own',
			N8N_REDIS_KEY_PREFIX: 'own',
			DB_POSTGRESDB_SCHEMA: 'own',
		});
	});
});

describe('docs/queue-mode/compose.yaml', () => {
	const folder = path.join(ROOT, 'docs', 'queue-mode');
	const text = async (name: string) => await readFile(path.join(folder, name), 'utf8');
	const compose = async () => parse(await text('compose.yaml'), { merge: true }) as Compose;
	const services = async () => (await compose()).services;

	it('gives the main and two workers the settings that npm run e2e:queue uses', async () => {
		const { main, worker } = await services();
		const given = "{ redis: 'redis://:password@redis', database: 'postgresql://n8n:password@postgres/n8n', encryptionKey: 'key' }";
		const shared = (await evaluate('n8n/queueSettings.mts', `module.queueSettings(${given})`)) as Record<string, string>;
		const own = (await evaluate('n8n/queueSettings.mts', 'module.WORKER_SETTINGS')) as Record<string, string>;
		const concurrency = (await evaluate('n8n/queueSettings.mts', 'module.CONCURRENCY')) as number;
		const secrets = { N8N_ENCRYPTION_KEY: expect.any(String), QUEUE_BULL_REDIS_PASSWORD: expect.any(String), DB_POSTGRESDB_PASSWORD: expect.any(String) };

		expect(main?.environment).toMatchObject({ ...shared, ...secrets });
		expect(worker?.environment).toEqual({ ...shared, ...own, ...secrets });
		expect(worker?.command).toEqual(['worker', `--concurrency=${concurrency}`]);
		expect(worker?.deploy).toEqual({ replicas: 2 });
	});

	it('gives every process of n8n the same n8n, a tested one, and the package', async () => {
		const { main, worker, package: installer } = await services();
		const versions = (await evaluate('install/n8nVersions.mts', 'module.N8N_VERSIONS.map(({ version }) => version)')) as string[];
		expect(versions.map((version) => `docker.n8n.io/n8nio/n8n:${version}`)).toContain(main?.image);
		for (const service of [main, worker, installer]) expect(service?.image).toBe(main?.image);
		for (const service of [main, worker]) expect(service?.volumes).toEqual(['packages:/home/node/.n8n/nodes:ro']);
	});

	it('has no secret in it, and asks .env for those that .env.example lists', async () => {
		const asked = new Set([...(await text('compose.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
		const listed = [...(await text('.env.example')).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
		expect([...asked].sort()).toEqual(listed.sort());
		for (const { environment = {} } of Object.values(await services())) {
			for (const [name, value] of Object.entries(environment)) if (/PASSWORD|KEY|AUTH/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/);
		}
		expect(await text('.gitignore')).toBe('.env\n');
	});

	it('waits for nothing that is not there', async () => {
		const all = await services();
		for (const { depends_on = {} } of Object.values(all)) expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
	});

	it('installs the tarball and nothing else, without a network', async () => {
		await inTemporaryFolder(async (temporary) => {
			const tarball = (await evaluate('install/tarball.mts', `module.packPackage(${JSON.stringify(temporary)})`)) as string;
			const { entrypoint, command } = (await services()).package!;
			const volume = path.join(temporary, 'volume');
			await mkdir(volume);
			const args = command!.map((arg) => arg.replace('/home/node/.n8n', volume).replace('/package.tgz', tarball));
			// A registry and a cache that have nothing.
			const { code, output } = await run(entrypoint![0]!, args, { npm_config_registry: 'http://127.0.0.1:1', npm_config_cache: path.join(temporary, 'cache') });
			expect(`${code} ${output}`).toMatch(/^0 /);
			expect((await readdir(path.join(volume, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['n8n-nodes-voice-admin']);
			// n8n writes this file where it is missing, which the read-only volume would not let it.
			expect(await readdir(volume)).toContain('package.json');
		});
	});

	it('confines every container', async () => {
		expect(risks(await compose())).toEqual([]);
	});

	it.each<[string, (compose: Compose) => void, string]>([
		['an image by a tag that moves', ({ services: { main } }) => (main!.image = 'docker.n8n.io/n8nio/n8n:2.40'), 'main: n8n:2.40 is no exact version'],
		['root by its number', ({ services: { worker } }) => (worker!.user = '0:0'), 'worker runs as root'],
		['capabilities', ({ services: { redis } }) => delete redis!.cap_drop, 'redis keeps capabilities'],
		['no limit of memory', ({ services: { worker } }) => delete worker!.mem_limit, 'worker has no mem_limit'],
		['a database on an open network', ({ services: { postgres } }) => (postgres!.networks = ['outside']), 'postgres is on an open network'],
		['an installer with a network', ({ services: { package: installer } }) => delete installer!.network_mode, 'package has a network'],
		['a port for everyone', ({ services: { main } }) => (main!.ports = ['5678:5678']), 'main: port 5678:5678'],
		['the repository in a container', ({ services: { package: installer } }) => installer!.volumes.push('../..:/repository:ro'), 'package mounts ../..:/repository:ro'],
		['a package that n8n can write', ({ services: { main } }) => (main!.volumes = ['packages:/home/node/.n8n/nodes']), 'main can change the package'],
		['install scripts', ({ services: { package: installer } }) => (installer!.command = installer!.command!.filter((arg) => arg !== '--ignore-scripts')), 'package runs install scripts'],
	])('this test notices %s', async (_, change, risk) => {
		const changed = await compose();
		change(changed);
		expect(risks(changed)).toEqual([risk]);
	});
});

interface Service {
	image: string;
	user?: string;
	privileged?: boolean;
	cap_drop?: string[];
	cap_add?: string[];
	security_opt?: string[];
	mem_limit?: string;
	cpus?: number;
	pids_limit?: number;
	networks?: string[];
	network_mode?: string;
	ports?: string[];
	entrypoint?: string[];
	command?: string[];
	environment?: Record<string, string>;
	volumes: Array<string | { type: string; source: string; target: string; read_only?: boolean; bind?: { create_host_path?: boolean } }>;
	deploy?: { replicas: number };
	depends_on?: Record<string, unknown>;
}
interface Compose {
	services: Record<string, Service>;
	volumes: Record<string, unknown>;
	networks: Record<string, { internal?: boolean } | null>;
}

/** Which containers could do or reach more than they have to. */
function risks({ services, volumes, networks }: Compose): string[] {
	return Object.entries(services).flatMap(([name, service]) => {
		const found: string[] = [];
		// PostgreSQL's versions have two numbers.
		const exact = /\/?postgres:/.test(service.image) ? /:\d+\.\d+(-\w+)?(@sha256:[0-9a-f]{64})?$/ : /:\d+\.\d+\.\d+(-\w+)?(@sha256:[0-9a-f]{64})?$/;
		if (!exact.test(service.image)) found.push(`${name}: ${path.basename(service.image)} is no exact version`);
		if (/^(root|0+)?(:|$)/.test(service.user ?? '')) found.push(`${name} runs as root`);
		if (service.cap_drop?.join() !== 'ALL' || service.cap_add !== undefined || service.privileged) found.push(`${name} keeps capabilities`);
		if (!service.security_opt?.includes('no-new-privileges:true')) found.push(`${name} can gain privileges`);
		for (const limit of ['mem_limit', 'cpus', 'pids_limit'] as const) if (!service[limit]) found.push(`${name} has no ${limit}`);

		if (service.network_mode !== undefined && service.network_mode !== 'none') found.push(`${name} has the host's network`);
		if (name === 'package' && service.network_mode !== 'none') found.push(`${name} has a network`);
		const internal = service.networks?.every((network) => networks[network]?.internal) ?? false;
		if (['postgres', 'redis'].includes(name) && !internal) found.push(`${name} is on an open network`);
		for (const port of service.ports ?? []) if (name !== 'main' || !port.startsWith('127.0.0.1:')) found.push(`${name}: port ${port}`);

		for (const volume of service.volumes) {
			const tarball = typeof volume === 'object' && name === 'package' && volume.source.startsWith('${VOICE_ADMIN_TARBALL:?') && volume.read_only && volume.bind?.create_host_path === false;
			const named = typeof volume === 'string' && volume.split(':')[0]! in volumes;
			if (!tarball && !named) found.push(`${name} mounts ${typeof volume === 'string' ? volume : volume.source}`);
			if (named && name !== 'package' && volume.startsWith('packages:') && !volume.endsWith(':ro')) found.push(`${name} can change the package`);
		}
		if (name === 'package') {
			if (!service.command?.includes('--ignore-scripts')) found.push(`${name} runs install scripts`);
			const installed = service.command?.filter((arg, index, all) => !arg.startsWith('-') && all[index - 1] !== '--prefix');
			if (installed?.join() !== 'install,/package.tgz') found.push(`${name} installs more than the tarball`);
		}
		return found;
	});
}
