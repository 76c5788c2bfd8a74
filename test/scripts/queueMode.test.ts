import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { evaluate, inTemporaryFolder, ROOT, runNode } from './run';

const NONE = { REDIS_URL: '', DATABASE_URL: '' };
const RUNNING = { REDIS_URL: 'redis://127.0.0.1:6379', DATABASE_URL: 'postgresql://n8n@127.0.0.1/n8n' };

/** What is said on a machine with nothing in PATH but Node. */
async function onBareMachine(script: string, expression: string, env: NodeJS.ProcessEnv): Promise<unknown> {
	return await inTemporaryFolder(async (folder) => {
		await symlink(process.execPath, path.join(folder, 'node'));
		return await evaluate(script, expression, { ...env, PATH: folder });
	});
}

describe('npm run e2e:queue without what it needs', () => {
	const missing = async (env: NodeJS.ProcessEnv) => await onBareMachine('e2e/servers.mjs', 'module.requireServers()', env);

	it('says how to install Redis', async () => {
		expect(await missing({ ...RUNNING, REDIS_URL: '' })).toBe(
			"n8n's queue mode needs Redis, which this machine does not have.\n" +
				'  Debian, Ubuntu: sudo apt-get install redis-server\n' +
				'  macOS:          brew install redis\n' +
				'  or name a running one: REDIS_URL=redis://… npm run e2e:queue',
		);
	});

	it('ends with exit code 1, before anything is installed', async () => {
		await inTemporaryFolder(async (folder) => {
			const ended = await runNode([path.join(ROOT, 'scripts', 'e2e.mjs'), 'queue'], { ...RUNNING, REDIS_URL: '', PATH: folder });
			expect(ended.code).toBe(1);
			expect(ended.output.trim()).toMatch(/^n8n's queue mode needs Redis/);
		});
	});

	it('needs nothing on the machine when it is told of running servers', async () => {
		expect(await missing(RUNNING)).toBeUndefined();
	});

	it('names everything that is missing at once', async () => {
		const told = await onBareMachine('e2e/servers.mjs', "module.whatToInstall([module.SERVERS.redis, module.SERVERS.postgres])", NONE);
		expect(told).toContain('sudo apt-get install redis-server postgresql');
		expect(told).toContain('REDIS_URL=redis://… DATABASE_URL=postgresql://… npm run e2e:queue');
	});
});

describe('the settings of the queue mode', () => {
	it('are taken from the URLs of the servers', async () => {
		const settings = await evaluate(
			'n8n/queue-settings.mjs',
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
	interface Service {
		image: string;
		command?: string[];
		environment: Record<string, string>;
		volumes: string[];
		deploy?: { replicas: number };
		depends_on?: Record<string, unknown>;
	}
	const folder = path.join(ROOT, 'docs', 'queue-mode');
	const text = async (name: string) => await readFile(path.join(folder, name), 'utf8');
	const services = async () => (parse(await text('compose.yaml'), { merge: true }) as { services: Record<string, Service> }).services;

	it('gives the main and two workers the settings that npm run e2e:queue uses', async () => {
		const { main, worker } = await services();
		const given = "{ redis: 'redis://:password@redis', database: 'postgresql://n8n:password@postgres/n8n', encryptionKey: 'key' }";
		const shared = (await evaluate('n8n/queue-settings.mjs', `module.queueSettings(${given})`)) as Record<string, string>;
		const own = (await evaluate('n8n/queue-settings.mjs', 'module.WORKER_SETTINGS')) as Record<string, string>;
		const concurrency = (await evaluate('n8n/queue-settings.mjs', 'module.CONCURRENCY')) as number;
		const secrets = { N8N_ENCRYPTION_KEY: expect.any(String), QUEUE_BULL_REDIS_PASSWORD: expect.any(String), DB_POSTGRESDB_PASSWORD: expect.any(String) };

		expect(main?.environment).toMatchObject({ ...shared, ...secrets });
		expect(worker?.environment).toEqual({ ...shared, ...own, ...secrets });
		expect(worker?.command).toEqual(['worker', `--concurrency=${concurrency}`]);
		expect(worker?.deploy).toEqual({ replicas: 2 });
	});

	it('gives every process of n8n the same n8n, a tested one, and the package', async () => {
		const { main, worker, package: installer } = await services();
		const versions = (await evaluate('setup/n8n-versions.mjs', 'module.N8N_VERSIONS.map(({ version }) => version)')) as string[];
		expect(versions.map((version) => `docker.n8n.io/n8nio/n8n:${version}`)).toContain(main?.image);
		for (const service of [main, worker, installer]) {
			expect(service?.image).toBe(main?.image);
			expect(service?.volumes).toContain('packages:/home/node/.n8n/nodes');
		}
	});

	it('has no secret in it, and asks .env for those that .env.example lists', async () => {
		const asked = new Set([...(await text('compose.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
		const listed = [...(await text('.env.example')).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
		expect([...asked].sort()).toEqual(listed.sort());
		for (const { environment } of Object.values(await services())) {
			for (const [name, value] of Object.entries(environment)) if (/PASSWORD|KEY|AUTH/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/);
		}
		expect(await text('.gitignore')).toBe('.env\n');
	});

	it('waits for nothing that is not there', async () => {
		const all = await services();
		for (const { depends_on = {} } of Object.values(all)) expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
	});
});
