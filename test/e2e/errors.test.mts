import { addCustomer, getGateway, setPremium } from '../support/operations';
import { inN8n } from '../support/n8n/scenario.mts';

const { scenario } = inN8n();

const READER = { clientId: 'demo-reader', clientSecret: 'demo-reader-key-not-a-secret' };

describe('an error that stops the workflow', () => {
	scenario(
		'404: the words of the API, details a line each',
		{ parameters: setPremium(9999, 'IT') },
		({ errors, output }) => {
			expect(output).toEqual([]);
			expect(errors).toEqual([{ message: 'The requested DSS resource is not found', description: 'No trunk has the id 9999.\nRequest: trunk 9999, country IT.', httpCode: '404' }]);
		},
	);

	scenario(
		'400 with a list of errors: a line for each field',
		{
			parameters: addCustomer('IT12345678903'),
			faults: { rules: [{ fault: 'http400', message: 'Validation failed', errors: [{ field: 'city', message: 'must not be empty' }, { field: 'zip', message: 'must have 5 digits' }], path: '/v1' }] },
		},
		({ errors, state }) => {
			expect(errors[0]).toMatchObject({ message: 'Validation failed', httpCode: '400' });
			expect(errors[0]?.description).toMatch(/^city: must not be empty\nzip: must have 5 digits/);
			expect(state.customers).toEqual([]);
		},
	);

	scenario(
		'403: the key lacks the permission, and no new login',
		{ parameters: addCustomer('IT12345678903'), credential: READER },
		({ errors, state }) => {
			expect(errors[0]).toMatchObject({ httpCode: '403', description: expect.stringContaining('does not have permission') });
			expect(state.counters.logins).toBe(1);
		},
	);

	scenario(
		'500 on a create: the customer may exist, and which VAT number to look for',
		{ parameters: addCustomer('IT12345678903'), faults: { rules: [{ fault: 'http500', path: '/v1' }] } },
		({ errors, state }) => {
			expect(errors[0]).toMatchObject({ httpCode: '500' });
			expect(errors[0]?.description).toContain('The customer with VAT number IT12345678903 may already exist. Check before retrying');
			expect(state.counters.byOperation.addCustomer).toBe(1);
		},
	);

	scenario(
		'an HTML page from a proxy: the status and what came instead',
		{ parameters: getGateway('1', { options: { maxRetries: 0 } }), faults: { rules: [{ fault: 'htmlPage', path: '/v1' }] } },
		({ errors }) => {
			expect(errors[0]?.httpCode).toBe('502');
			expect(errors[0]?.message).toMatch(/^The service answered 502 with an HTML page/);
			expect(JSON.stringify(errors)).not.toMatch(/undefined|\[object/);
		},
	);

	scenario(
		'a wrong parameter: which one, what was given, what is accepted, and nothing is sent',
		{ items: [{ trunk: 1001 }, { trunk: 'abc' }], parameters: setPremium('={{ $json.trunk }}', 'IT') },
		({ errors, requests }) => {
			expect(errors).toEqual([{ message: `'Trunk ID' is not valid: "abc". Enter a whole number, e.g. 1001` }]);
			expect(requests.filter(({ path }) => path.startsWith('/v1'))).toEqual([]);
		},
	);

	scenario(
		'nothing that waits is sent after the first failure',
		{ items: [{ id: 'none' }, ...Array.from({ length: 299 }, () => ({ id: '1' }))], parameters: getGateway('={{ $json.id }}', { options: { maxConcurrency: 5 } }) },
		({ errors, requests }) => {
			expect(errors).toHaveLength(1);
			// Those that were in flight with it, and what n8n sends until it has read the 404.
			const after = requests.slice(requests.findIndex(({ status }) => status === 404) + 1);
			expect(after.length).toBeLessThan(50);
		},
	);
});

const MIXED = [{ id: '1' }, { id: 'none' }, { id: '..' }, { id: '4' }];

describe('an error that does not stop the workflow', () => {
	scenario(
		'Continue: every item has its place, good or bad',
		{ items: MIXED, parameters: getGateway('={{ $json.id }}'), settings: { onError: 'continueRegularOutput' } },
		({ output, errors, paired }) => {
			expect(output.map(({ id }) => id)).toEqual(['1', '4']);
			expect(errors.map(({ httpCode }) => httpCode)).toEqual(['404', undefined]);
			expect(paired).toEqual([0, 1, 2, 3]);
		},
	);

	scenario(
		'Error Output: good items go on, bad ones come out beside with what was wrong',
		{ items: [{ row: 1, id: '1' }, { row: 2, id: 'none' }, { row: 3, id: '..' }, { row: 4, id: '4' }], parameters: getGateway('={{ $json.id }}'), settings: { onError: 'continueErrorOutput' } },
		({ output, errorOutput }) => {
			expect(output.map(({ id }) => id)).toEqual(['1', '4']);
			expect(errorOutput).toEqual([
				{ row: 2, id: 'none', error: { message: expect.any(String), description: expect.any(String), httpCode: '404', code: 'not_found', outcome: 'not_done' } },
				{ row: 3, id: '..', error: { message: expect.stringContaining("'Gateway ID' is not valid"), description: null, httpCode: null, code: 'invalid_parameter', outcome: 'not_sent' } },
			]);
		},
	);
});
