import { gzipSync } from 'node:zlib';
import {
	credentialFor,
	execute,
	getGateway,
	json,
	Polling,
	type Script,
	startService,
	testCredential,
} from '../support/executor';

const MB = 1_000_000;

const failing = async (url: string) =>
	(await execute({ parameters: getGateway('1'), credential: credentialFor(url) })).error;
const polling = async (url: string) => (await new Polling({ gatewayIds: '1' }, credentialFor(url)).poll()).error;

/** Every kind of response that the package reads: its size limit as documented, and the error of one that is larger. */
const KINDS = [
	{ name: 'a login', isLogin: true, limit: MB, run: failing },
	{ name: 'an operation', limit: 25 * MB, run: failing },
	{ name: 'the trigger', limit: MB, run: polling },
	{
		name: 'the credential test',
		isLogin: true,
		limit: MB,
		run: async (url: string) => {
			const { status, message } = await testCredential(credentialFor(url));
			return status === 'OK' ? undefined : { message };
		},
	},
];

// That no more of it is read is a test of `unit`.
test.each(KINDS)(
	'a response to $name has at most $limit bytes when it is decompressed',
	async ({ isLogin, limit, run }) => {
		const errorOf = async (bytes: number) => {
			const body = Buffer.from('{"access_token":"t","id":"1"}'.padEnd(bytes));
			const answer: Script = (_request, response) =>
				response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body));
			const service = isLogin
				? await startService((_request, response) => json(response, 200, { id: '1' }), answer)
				: await startService(answer);
			return await run(service.url);
		};
		expect(await errorOf(limit)).toBeUndefined();
		expect((await errorOf(limit + 1))?.message).toMatch(
			new RegExp(`more than ${limit / MB} MB|no usable access token`),
		);
	},
);
