import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { evaluate, inTemporaryFolder, ROOT, run } from './run';

type Service = Record<'image', string> & {
	entrypoint: string[];
	command: string[];
	environment?: Record<string, string>;
} & Record<'deploy' | 'volumes', unknown>;

describe('docs/queue-mode/compose.yaml', () => {
	const folder = path.join(ROOT, 'docs', 'queue-mode');
	const text = (name: string) => readFileSync(path.join(folder, name), 'utf8');
	const { services } = parse(text('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
	const { main, worker, package: installer } = services;

	it('gives the main and two workers the settings that npm run e2e:queue uses', async () => {
		const given =
			"{ redis: 'redis://:password@redis', database: 'postgresql://n8n:password@postgres/n8n', encryptionKey: 'key' }";
		const asked = `[module.queueSettings(${given}), module.WORKER_SETTINGS, module.CONCURRENCY]`;
		const [shared, own, concurrency] = (await evaluate('../test/support/queue/queueSettings.mts', asked)) as [
			object,
			object,
			number,
		];
		const names = ['N8N_ENCRYPTION_KEY', 'QUEUE_BULL_REDIS_PASSWORD', 'DB_POSTGRESDB_PASSWORD'];
		const secrets = Object.fromEntries(names.map((name) => [name, expect.any(String) as unknown]));

		expect(main?.environment).toMatchObject({ ...shared, ...secrets });
		expect(worker?.environment).toEqual({ ...shared, ...own, ...secrets });
		expect(worker?.command).toEqual(['worker', `--concurrency=${concurrency}`]);
		expect(worker?.deploy).toEqual({ replicas: 2 });
	});

	it('gives every process of n8n the same n8n, a tested one, and the package', async () => {
		const versions = (await evaluate(
			'install/n8nVersions.mts',
			'module.N8N_VERSIONS.map(({ version }) => version)',
		)) as string[];
		expect(versions.map((version) => `docker.n8n.io/n8nio/n8n:${version}`)).toContain(main?.image);
		for (const service of [main, worker, installer]) expect(service?.image).toBe(main?.image);
		for (const service of [main, worker]) expect(service?.volumes).toEqual(['packages:/home/node/.n8n/nodes:ro']);
	});

	it('has no secret in it, and asks .env for those that .env.example lists', () => {
		const asked = new Set([...text('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
		const listed = [...text('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
		expect([...asked].sort()).toEqual(listed.sort());
		for (const { environment = {} } of Object.values(services)) {
			for (const [name, value] of Object.entries(environment))
				if (/PASSWORD|KEY|AUTH/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/);
		}
		expect(text('.gitignore')).toBe('.env\n');
	});

	it('installs the tarball and nothing else, without a network or install scripts', async () => {
		await inTemporaryFolder(async (temporary) => {
			const tarball = (await evaluate(
				'install/package.mts',
				`module.buildTarball(${JSON.stringify(temporary)})`,
			)) as string;
			const { entrypoint, command } = installer!;
			const volume = path.join(temporary, 'volume');
			await mkdir(volume);
			expect(command).toContain('--ignore-scripts');
			const args = command.map((arg) => arg.replace('/home/node/.n8n', volume).replace('/package.tgz', tarball));
			// A registry and a cache that have nothing.
			const env = { npm_config_registry: 'http://127.0.0.1:1', npm_config_cache: path.join(temporary, 'cache') };
			const { code, output } = await run(entrypoint[0]!, args, env);
			expect(`${code} ${output}`).toMatch(/^0 /);
			expect((await readdir(path.join(volume, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
				'n8n-nodes-voice-admin',
			]);
			// n8n writes this file where it is missing, which the read-only volume would not let it.
			expect(await readdir(volume)).toContain('package.json');
		});
	});
});
