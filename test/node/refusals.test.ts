import type { INodeParameters } from 'n8n-workflow';

import { credentialFor } from '../support/credentialStore';
import { execute } from '../support/execute';
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

describe('what is refused before anything is sent', () => {
	test.each<[string, INodeParameters, string]>([
		['a trunk id that is no number', setPremium('abc', 'IT'), 'Trunk ID: "abc" is not accepted. Give a whole number, e.g. 1001'],
		['a trunk id with a fraction', setPremium(1.5, 'IT'), 'Trunk ID: 1.5 is not accepted. Give a whole number, e.g. 1001'],
		['a trunk id beyond 2^53', setPremium('9007199254740993', 'IT'), 'Trunk ID: "9007199254740993" is not accepted.'],
		['digits of another script', setPremium('١٠٠١', 'IT'), 'Trunk ID: "١٠٠١" is not accepted.'],
		['no trunk id', setPremium('', 'IT'), 'Trunk ID: nothing was given. Give a whole number, e.g. 1001'],
		['a trunk id that was forgotten', { resource: 'dssTrunk', operation: 'setPremium', iso: { __rl: true, mode: 'code', value: 'IT' } }, 'Trunk ID: nothing was given. Give a whole number, e.g. 1001'],
		['a country that is no code', setPremium(1001, 'Italy!'), 'Country: "Italy!" is not accepted. Give ISO country codes of two or three letters or three digits, separated by commas, e.g. IT, FR'],
		['one bad code among good ones', setPremium(1001, 'IT, F1, DE'), 'Country: "F1" is not accepted.'],
		['look-alike letters', setPremium(1001, 'ІТ'), 'Country: "ІТ" is not accepted.'],
		['no country', setPremium(1001, ' , '), 'Country: nothing was given.'],
		['an organization that is no number', setPremium(1001, 'IT', { additionalFields: { organizationId: 'x' } }), 'Organization ID: "x" is not accepted. Give a whole number'],
		['a session border controller that is no number', setPremium(1001, 'IT', { additionalFields: { sbcId: 2.5 } }), 'Session Border Controller ID: 2.5 is not accepted.'],
		['a gateway id that climbs', getGateway('..'), 'Gateway ID: ".." is not accepted. Give the identifier as the service shows it, e.g. 12'],
		['a gateway id that stays', getGateway('.'), 'Gateway ID: "." is not accepted.'],
		['an empty gateway id', getGateway('={{ "" }}'), 'Gateway ID: nothing was given.'],
		['a blank gateway id', getGateway('  '), 'Gateway ID: nothing was given.'],
		['half a character', getGateway('a\ud800'), 'Gateway ID: "a\\ud800" is not accepted.'],
		['an organization that climbs', getGateway('1', { organizationId: '..' }), 'Organization ID: ".." is not accepted.'],
		['other fields that are a list', addCustomer('1', { otherFields: '[1]' }), 'Other Fields: "[1]" is not accepted. Give a JSON object'],
		['other fields that are not JSON', addCustomer('1', { otherFields: '{ name: ' }), 'Other Fields: "{ name: " is not accepted.'],
		['other fields that are null', addCustomer('1', { otherFields: 'null' }), 'Other Fields: "null" is not accepted.'],
		['no VAT number', addCustomer(' '), 'VAT Number: nothing was given.'],
		['two VAT numbers', addCustomer('12345678903', { otherFields: '{ "pIva": "00743110157" }' }), 'Other Fields → pIva: "00743110157" is not accepted. VAT Number already says "12345678903"'],
		['aliases that differ', addCustomer('', { otherFields: '{ "pIva": "1", "piva": "2" }' }), 'Other Fields → piva: "2" is not accepted. Other Fields → pIva already says "1"'],
		['a wrong check digit, when asked to look', addCustomer('IT12345678901', { options: { validateVatNumber: true } }), 'VAT Number: "IT12345678901" is not accepted. Its check digit is wrong'],
		['more in flight than allowed', getGateway('1', { options: { maxConcurrency: 501 } }), 'Max Concurrency: 501 is not accepted. Give a whole number from 1 to 500'],
		['retries that are no number', getGateway('1', { options: { maxRetries: 'many' } }), 'Max Retries: "many" is not accepted. Give a whole number from 0 to 10'],
	])('%s', async (_name, parameters, message) => {
		const { error, output } = await execute({ parameters, credential: credentialFor(service.url) });
		expect(error?.message.startsWith(message) ? message : error?.message).toBe(message);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(output).toEqual([]);
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test('one bad item among a hundred stops the run before the first request', async () => {
		const { error } = await execute({
			items: numbered(100),
			parameters: getGateway('={{ $json.n === 70 ? ".." : $json.n }}'),
			credential: credentialFor(service.url),
		});
		expect(error?.message).toMatch(/^Gateway ID: "\.\."/);
		expect(error?.context).toMatchObject({ itemIndex: 70 });
		expect([...service.requests, ...service.logins]).toEqual([]);
	});

	test.each<[string, Record<string, string>, RegExp]>([
		['nothing', { baseUrl: ' ' }, /^Production Base URL of the credential is empty\. Give the address/],
		['no scheme', { baseUrl: 'api.example.com' }, /^Production Base URL of the credential is not a URL: "api\.example\.com"/],
		['another scheme', { baseUrl: 'file:///etc/passwd' }, /must begin with https:\/\/ or http:\/\/, not with file:/],
		['a password in it', { baseUrl: 'https://user:hunter2@api.example.com' }, /must not contain a user name or password/],
		['a query', { baseUrl: 'https://api.example.com/?key=hunter2' }, /must not contain spaces, "\?" or "#": "https:\/\/api\.example\.com\/"/],
		['no staging address', { environment: 'staging' }, /^Staging Base URL of the credential is empty/],
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
		['a line break in the header name', { authHeaderName: 'X\r\nEvil: 1' }, /^Token Header Name of the credential cannot be used as a header/],
		['a line break in the prefix', { authHeaderPrefix: 'Bearer\r\nEvil:' }, /^Token Prefix of the credential cannot be sent in a header/],
	])('%s', async (_name, more, message) => {
		const { error } = await execute({
			parameters: getGateway('1'),
			credential: credentialFor(service.url, { ...more, accessToken: 'stored-token' }),
		});
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});
