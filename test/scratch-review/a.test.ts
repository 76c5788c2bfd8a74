import { type Sandbox, startSandbox } from '../../sandbox';
import { CredentialStore, credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, raw, Recorder } from '../support/recorder';
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
const log = (...a: unknown[]) => process.stderr.write(a.map((x) => typeof x === 'string' ? x : JSON.stringify(x)).join(' ') + '\n');

test('1 expression error in a later item', async () => {
	const sandbox = await startSandbox();
	for (const settings of [{}, { onError: 'continueRegularOutput' as const }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }]) {
		sandbox.reset?.();
		const { error, output } = await execute({
			items: [...numbered(5).map(({ n }) => ({ n, vat: `C${n}` })), { n: 5 } as never],
			parameters: addCustomer('={{ $json.vat.trim() }}'),
			credential: credentialFor(sandbox.url), settings,
		});
		log('E1', settings, error?.message, error?.context, output.length, 'at end of run:', sandbox.state().customers.length);
		await sleep(500);
		log('   later:', sandbox.state().customers.map((c) => c.vatNumber));
	}
	await sandbox.close();
});

test('2 redaction and cutting', async () => {
	const token = 'eyJhbGciOiJIUzI1NiJ9.' + 'abcdefghij'.repeat(60) + '.sig';
	const secret = 'S3CR3T-' + 'q9'.repeat(60);
	for (const [name, script] of [
		['text', (r: any) => raw(r, 400, 'text/plain', `Bad Authorization header: Bearer ${token}`)],
		['json', (r: any) => json(r, 400, { status: 'x', message: 'Bad token ' + token, errors: '' })],
		['errors', (r: any) => json(r, 400, { status: 'x', message: 'm', errors: 'z'.repeat(1900) + token })],
		['title', (r: any) => raw(r, 502, 'text/html', `<html><title>${token}</title>`)],
		['location', (r: any) => { r.writeHead(302, { location: 'http://127.0.0.1:9/x/' + token }); r.end(); }],
	] as const) {
		const service = await Recorder.start((_q, r) => script(r), (_q, r) => json(r, 200, { access_token: token }));
		const { error } = await execute({ parameters: { ...getGateway('1'), options: { maxRetries: 0 } }, credential: credentialFor(service.url) });
		log('R', name, 'leaks:', JSON.stringify([error?.message, error?.description]).includes('eyJhbGciOiJIUzI1NiJ9.abc'), error?.message?.slice(0, 160));
		await service.close();
	}
	const service = await Recorder.start(() => {}, (_q, r) => raw(r, 401, 'text/plain', `Unknown key ${secret} for client`));
	const { error } = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url, { clientSecret: secret }) });
	log('R login', error?.message);
	await service.close();
});

test('3 token echoed after being replaced', async () => {
	let n = 0;
	const service = await Recorder.start((q, r) => {
		const t = String(q.headers.authorization);
		json(r, 401, { status: 'UNAUTHORIZED', message: `Token ${t} is not for gateway`, errors: '' });
	}, (_q, r) => json(r, 200, { access_token: `tok-number-${++n}-zzzz` }));
	const a = await execute({ parameters: getGateway('1'), credential: credentialFor(service.url) });
	log('T', a.error?.message, a.error?.description, n);
	await service.close();
});

test('4 one item always 401 among good ones, Continue', async () => {
	let n = 0;
	const service = await Recorder.start((q, r) => {
		setTimeout(() => {
			if (q.target.endsWith('/3')) json(r, 401, { status: 'UNAUTHORIZED', message: `Not yours, header ${q.headers.authorization}`, errors: '' });
			else json(r, 200, { id: q.target });
		}, q.target.endsWith('/3') ? 5 : 20);
	}, (_q, r) => setTimeout(() => json(r, 200, { access_token: `tok-number-${++n}-zzzz` }), 10));
	const store = new CredentialStore(credentialFor(service.url));
	const warm = await execute({ parameters: getGateway('1'), credential: store });
	log('warm', warm.error?.message, n);
	const a = await execute({ items: numbered(300), parameters: getGateway('={{ $json.n }}'), credential: store, settings: { onError: 'continueErrorOutput' } });
	log('U good', a.output.length, 'bad', a.errors.length, 'logins', n, JSON.stringify([...new Set(a.errors.map((e) => JSON.stringify((e.json as any).error)))]).slice(0, 900));
	await service.close();
});

test('5 login storms', async () => {
	for (const status of [503, 429, 404]) {
		const service = await Recorder.start((q, r) => json(r, 200, {}), (_q, r) => json(r, status, { status: 'x', message: 'nope', errors: '' }));
		const t = Date.now();
		const a = await execute({ items: numbered(100), parameters: getGateway('={{ $json.n }}'), credential: credentialFor(service.url), settings: { onError: 'continueErrorOutput' } });
		log('L', status, 'logins', service.logins.length, 'errors', a.errors.length, Date.now() - t, 'ms', JSON.stringify((a.errors[0]?.json as any)?.error));
		await service.close();
	}
});
