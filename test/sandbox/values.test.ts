import { parseFaultPlan, startSandbox } from '../../sandbox';
import { ApiError } from '../../sandbox/apiError';
import { bodyWithoutSecrets } from '../../sandbox/control/redact';
import { TokenBucket } from '../../sandbox/faults/tokenBucket';

describe('a plan of faults', () => {
	it('is an object, or just its rules', () => {
		const rules = [{ fault: 'http503', rate: 0.5, path: '/v1', method: 'GET', bodyContains: 'x', count: 1, after: 0 }];
		expect(parseFaultPlan(rules)).toEqual({ rules });
		const plan = { seed: 3, rules, rateLimit: { perSecond: 0.5, burst: 2 } };
		expect(parseFaultPlan(plan)).toEqual(plan);
		expect(parseFaultPlan({})).toEqual({});
	});

	it.each([
		[5, 'body', /^Expected object, received number/],
		[null, 'body', /^Expected object/],
		[{ rule: [] }, 'body', /'rule'/],
		[{ seed: 1.5 }, 'seed', /integer/],
		[{ rules: {} }, 'rules', /^Expected array/],
		[{ rateLimit: 50 }, 'rateLimit', /^Expected object/],
		[{ rateLimit: {} }, 'rateLimit.perSecond', /^Required/],
		[{ rateLimit: { perSecond: 0 } }, 'rateLimit.perSecond', /greater than 0/],
		[['http503'], 'rules.0', /^Expected object/],
		[[{ fault: 'http503' }, { fault: 'http418' }], 'rules.1.fault', /Expected 'latency' \| 'http429'/],
		[[{ fault: 'toString' }], 'rules.0.fault', /Expected 'latency'/],
		[[{ rate: 1 }], 'rules.0.fault', /Expected 'latency'/],
		[[{ fault: 'http503', rate: 5 }], 'rules.0.rate', /less than or equal to 1/],
		[[{ fault: 'http503', rate: '1' }], 'rules.0.rate', /^Expected number, received string/],
		[[{ fault: 'http503', path: 'v1' }], 'rules.0.path', /start with "\/"/],
		[[{ fault: 'http503', method: 'FETCH' }], 'rules.0.method', /^Expected an HTTP method/],
		[[{ fault: 'http503', count: -1 }], 'rules.0.count', /greater than or equal to 0/],
		[[{ fault: 'http503', retryAfter: 3 }], 'rules.0', /'retryAfter'/],
		[[{ fault: 'http429', retryAfterAs: 'header' }], 'rules.0.retryAfterAs', /'seconds' \| 'date' \| 'none'/],
		[[{ fault: 'http400', errors: 42 }], 'rules.0.errors', /./],
		[[{ fault: 'latency' }], 'rules.0.ms', /^Required/],
		[[{ fault: 'hugeBody', megabytes: 5000 }], 'rules.0.megabytes', /less than or equal to 200/],
		[[{ fault: 'tokenExpires', afterRequests: 1, rate: 0.5 }], 'rules.0', /'rate'/],
	])('is rejected as %j with the field and what is wrong with it', (plan, field, message) => {
		const rejected = expect.objectContaining({ details: [{ field, message: expect.stringMatching(message) }] });
		expect(() => parseFaultPlan(plan)).toThrow(rejected);
	});

	it('that is not valid starts no sandbox', async () => {
		await expect(startSandbox({ faults: { rules: [{ fault: 'latency', ms: -1 }] } })).rejects.toThrow(ApiError);
	});
});

describe('the rate limit', () => {
	it('lets a burst pass, and then as many as the rate has refilled', () => {
		let now = 0;
		const limiter = new TokenBucket({ perSecond: 2, burst: 3 }, () => now);
		expect([1, 2, 3, 4].map(() => limiter.secondsToWait())).toEqual([0, 0, 0, 0.5]);
		now = 500;
		expect([1, 2].map(() => limiter.secondsToWait())).toEqual([0, 0.5]);
		now = 60_000;
		expect([1, 2, 3, 4].map(() => limiter.secondsToWait())).toEqual([0, 0, 0, 0.5]);
	});

	it.each([[10, 10], [0.5, 1]])('of %d a second lets %d pass at once if no burst is given', (perSecond, count) => {
		const limiter = new TokenBucket({ perSecond }, () => 0);
		expect(Array.from({ length: 20 }, () => limiter.secondsToWait()).filter((seconds) => seconds === 0)).toHaveLength(count);
	});
});

describe('a logged body', () => {
	it.each([
		'{"password":123456}',
		'{"apiKey":{"value":"REAL"}}',
		'{"clientSecret"          :"RE\\"AL"}',
		'clientId=a&clientSecret=REAL',
		'clientSecret: REAL',
	])('has no secret: %j', (body) => {
		const shown = bodyWithoutSecrets(body);
		expect(shown).not.toMatch(/REAL|RE\\"AL|123456/);
		expect(shown).toContain('[hidden]');
	});

	it.each(['{"number":12345678901234567890}', 'vatNumber=IT1&name=Rossi', 'plain text'])('without a secret is as it was: %j', (body) => {
		expect(bodyWithoutSecrets(body)).toBe(body);
	});
});
