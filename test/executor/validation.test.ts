import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../support/executor/credentialStore';
import { differences } from '../support/executor/differences';
import { execute } from '../support/executor/execute';
import { addCustomer, getGateway, numbered, setPremium } from '../support/operations';
import { json, Recorder } from '../support/recorder';

let service: Recorder;

beforeAll(async () => {
	service = await Recorder.start((_request, response) => json(response, 200, {}));
});

afterAll(async () => {
	await service.close();
});

const circular: Record<string, unknown> = {};
circular.itself = circular;

describe('what is not valid fails before anything is sent', () => {
	test.each<[string, INodeParameters, string]>([
		['a trunk id that is not a number', setPremium('abc', 'IT'), `'Trunk ID' is not valid: "abc". Enter a whole number, e.g. 1001`],
		['a trunk id that is missing', { resource: 'dssTrunk', operation: 'setPremium', iso: { __rl: true, mode: 'code', value: 'IT' } }, `'Trunk ID' is required. Enter a whole number, e.g. 1001`],
		['a country that is not a code', setPremium(1001, '={{ "Italy!" }}'), `'Country' is not valid: "Italy!". Enter ISO country codes of two or three letters or three digits, separated by commas, e.g. IT, FR`],
		['one invalid code among valid ones', setPremium(1001, '={{ "IT, F1, DE" }}'), `'Country' is not valid: "F1".`],
		['no country', setPremium(1001, '={{ " , " }}'), `'Country' is required.`],
		['an organization that is not a number', setPremium(1001, 'IT', { additionalFields: { organizationId: 'x' } }), `'Organization ID' is not valid: "x". Enter a whole number`],
		['a session border controller that is not a number', setPremium(1001, 'IT', { additionalFields: { sbcId: 2.5 } }), `'Session Border Controller ID' is not valid: 2.5.`],
		['two dots as a gateway id', getGateway('..'), `'Gateway ID' is not valid: "..". Enter the ID as your provider shows it, e.g. 12`],
		['two dots as an organization', getGateway('1', { organizationId: '..' }), `'Organization ID' is not valid: "..".`],
		['other fields that are not JSON', addCustomer('1', { otherFields: '{ name: ' }), `'Other Fields' is not valid: "{ name: ".`],
		['no VAT number', addCustomer(' '), `'VAT Number' is required.`],
		['two VAT numbers', addCustomer('12345678903', { otherFields: '{ "pIva": "00743110157" }' }), `'Other Fields → pIva' is not valid: "00743110157". 'VAT Number' is already "12345678903". Enter one VAT number, in one place`],
		['aliases that differ', addCustomer('', { otherFields: '{ "pIva": "1", "piva": "2" }' }), `'Other Fields → piva' is not valid: "2". 'Other Fields → pIva' is already "1". Enter one VAT number, in one place`],
		['a wrong check digit, with Validate VAT Number', addCustomer('IT12345678901', { options: { validateVatNumber: true } }), `'VAT Number' is not valid: "IT12345678901". The check digit of this Italian VAT number is wrong`],
		['a concurrency above the maximum', getGateway('1', { options: { maxConcurrency: 501 } }), `'Max Concurrency' is not valid: 501. Enter a whole number from 1 to 500`],
		['retries that are not a number', getGateway('1', { options: { maxRetries: 'many' } }), `'Max Retries' is not valid: "many". Enter a whole number from 0 to 10`],
	])('%s', async (_name, parameters, message) => {
		const { error, output } = await execute({ parameters, credential: credentialFor(service.url) });
		expect(error?.message.startsWith(message) ? message : error?.message).toBe(message);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(output).toEqual([]);
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test('a code that was typed in, which the editor marks: n8n does not start the workflow', async () => {
		const execution = execute({ parameters: setPremium(1001, 'IT, F1'), credential: credentialFor(service.url) });
		await expect(execution).rejects.toThrow(differences.hasIssues);
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test('one invalid item among a hundred stops the run before the first request', async () => {
		const { error } = await execute({
			items: numbered(100),
			parameters: getGateway('={{ $json.n === 70 ? ".." : $json.n }}'),
			credential: credentialFor(service.url),
		});
		expect(error?.message).toMatch(/^'Gateway ID' is not valid: "\.\."/);
		expect(error?.context).toMatchObject({ itemIndex: 70 });
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test.each<[string, Record<string, string>, RegExp]>([
		['nothing', { baseUrl: ' ' }, /^'Production Base URL' in the credential is required\. Enter the address of the service, e\.g\. https:\/\/api\.example\.com$/],
		['a password in it', { baseUrl: 'https://user:hunter2@api.example.com' }, /must not contain a user name or password/],
		['no staging address', { environment: 'staging' }, /^'Staging Base URL' in the credential is required/],
	])('a base URL with %s', async (_name, more, message) => {
		const { error } = await execute({
			parameters: getGateway('1'),
			credential: credentialFor(service.url, more),
		});
		expect(error?.message).toMatch(message);
		expect(JSON.stringify(error)).not.toContain('hunter2');
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test.each([
		['a line break in the header name', { authHeaderName: 'X\r\nEvil: 1' }, /^'Token Header Name' in the credential cannot be used as a header/],
		['a line break in the prefix', { authHeaderPrefix: 'Bearer\r\nEvil:' }, /^'Token Prefix' in the credential cannot be sent in a header/],
	])('%s', async (_name, more, message) => {
		const { error } = await execute({
			parameters: getGateway('1'),
			credential: credentialFor(service.url, { ...more, accessToken: 'stored-token' }),
		});
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});
