import { FaultPlanError, parseFaultPlan, startSandbox } from '../../sandbox';

it('takes a plan, or just its rules', () => {
	const rules = [{ fault: 'http503', rate: 0.5, path: '/v1', method: 'GET', bodyContains: 'x', count: 1, after: 0 }];
	expect(parseFaultPlan(rules)).toEqual({ rules });
	expect(parseFaultPlan({ seed: 3, rules, rateLimit: { perSecond: 0.5, burst: 2 } })).toEqual({ seed: 3, rules, rateLimit: { perSecond: 0.5, burst: 2 } });
	expect(parseFaultPlan({})).toEqual({});
});

it.each([
	[5, '5 was given; expected a list of rules or an object with "rules"'],
	[null, 'null was given; expected a list of rules or an object with "rules"'],
	[{ rule: [] }, '"rule" is not known; the known ones are seed, rules, rateLimit'],
	[{ seed: 1.5 }, '"seed" is 1.5; expected an integer of at least'],
	[{ rules: {} }, '"rules" is {}; expected a list of rules'],
	[{ rateLimit: 50 }, '"rateLimit" is 50; expected an object such as {"perSecond": 50}'],
	[{ rateLimit: {} }, 'rateLimit: "perSecond" is missing; expected a number above 0'],
	[{ rateLimit: { perSecond: 0 } }, 'rateLimit: "perSecond" is 0; expected a number above 0'],
	[['http503'], 'rule 1: "http503" was given; expected an object such as {"fault": "http503", "rate": 0.05}'],
	[[{ fault: 'http503' }, { fault: 'http418' }], 'rule 2: "fault" is "http418"; expected one of latency, '],
	[[{ fault: 'toString' }], 'rule 1: "fault" is "toString"; expected one of'],
	[[{ rate: 1 }], 'rule 1: "fault" is missing; expected one of'],
	[[{ fault: 'http503', rate: 5 }], 'rule 1 (http503): "rate" is 5; expected a number from 0 to 1'],
	[[{ fault: 'http503', rate: '1' }], 'rule 1 (http503): "rate" is "1"; expected a number from 0 to 1'],
	[[{ fault: 'http503', path: 'v1' }], 'rule 1 (http503): "path" is "v1"; expected a path that begins with /'],
	[[{ fault: 'http503', method: 'FETCH' }], 'rule 1 (http503): "method" is "FETCH"; expected an HTTP method'],
	[[{ fault: 'http503', count: -1 }], 'rule 1 (http503): "count" is -1; expected an integer of at least 0'],
	[[{ fault: 'http503', retryAfter: 3 }], 'rule 1 (http503): "retryAfter" is not known; the known ones are message, errors, processed, retryAfterSeconds, retryAfterAs, rate'],
	[[{ fault: 'http429', retryAfterAs: 'header' }], 'rule 1 (http429): "retryAfterAs" is "header"; expected "seconds", "date", "none"'],
	[[{ fault: 'http400', errors: 42 }], 'rule 1 (http400): "errors" is 42; expected a string, a list or an object'],
	[[{ fault: 'latency' }], 'rule 1 (latency): "ms" is missing; expected a number from 0 to 600000'],
	[[{ fault: 'hugeBody', megabytes: 5000 }], 'rule 1 (hugeBody): "megabytes" is 5000; expected an integer from 1 to 200'],
	[[{ fault: 'tokenExpires' }], 'rule 1 (tokenExpires): "afterRequests" is missing; expected an integer of at least 1'],
	[[{ fault: 'tokenExpires', afterRequests: 1, rate: 0.5 }], 'rule 1 (tokenExpires): "rate" is not known; the known ones are afterRequests'],
])('rejects %j with a sentence that helps', (plan, sentence) => {
	expect(() => parseFaultPlan(plan)).toThrow(FaultPlanError);
	expect(() => parseFaultPlan(plan)).toThrow(sentence);
});

it('does not start a sandbox with a plan that it cannot use', async () => {
	await expect(startSandbox({ faults: { rules: [{ fault: 'latency', ms: -1 }] } })).rejects.toThrow(FaultPlanError);
});
