import { type FaultPlan, parseFaultPlan } from '../../sandbox';
import { FaultDraw } from '../../sandbox/faults/draw';

it('a plan of faults is an object, or just its rules', () => {
	const rules = [
		{ fault: 'http', status: 503, rate: 0.5, path: '/v1', method: 'GET', bodyContains: 'x', count: 1, after: 0 },
	];
	expect([rules, { seed: 3, rules }, {}].map(parseFaultPlan)).toEqual([{ rules }, { seed: 3, rules }, {}]);
});

it.each([
	[[{ fault: 'rateLimit', perSecond: 0 }], 'rules.0.perSecond', /greater than 0/],
	[[{ fault: 'http', status: 503 }, { fault: 'nope' }], 'rules.1.fault', /Expected 'latency' \| 'rateLimit'/],
	[[{ fault: 'http', status: 503, path: 'v1' }], 'rules.0.path', /start with "\/"/],
	[[{ fault: 'http', status: 503, retryAfter: 3 }], 'rules.0', /'retryAfter'/],
	[[{ fault: 'latency' }], 'rules.0.ms', /^Required/],
])('a plan of faults is rejected as %j with the field and what is wrong with it', (plan, field, message) => {
	const rejected = expect.objectContaining({ details: [{ field, message: expect.stringMatching(message) }] });
	expect(() => parseFaultPlan(plan)).toThrow(rejected);
});

describe('the faults of a plan', () => {
	/** What is drawn for so many requests of a gateway, such as `503`; `-` for none. */
	const drawn = (count: number, plan: FaultPlan) => {
		const draw = new FaultDraw(plan);
		return Array.from({ length: count }, () => {
			const reply = draw.next('GET', '/v1/voip/dss/gtw/1', '').injection?.reply({ status: 200 });
			return typeof reply === 'object' ? String(reply.status) : '-';
		});
	};

	it('are injected into so many requests after so many that pass, by the first rule that is drawn; each rule counts all of them', () => {
		const rules: FaultPlan = {
			rules: [
				{ fault: 'http', status: 429, after: 1, count: 2 },
				{ fault: 'http', status: 503, after: 2, count: 2 },
			],
		};
		expect(drawn(6, rules)).toEqual(['-', '429', '429', '503', '503', '-']);
	});

	it('come about as often as was asked for, the same for the same seed, whatever other rules there are', () => {
		const rules: FaultPlan['rules'] = [{ fault: 'http', status: 503, rate: 0.3 }];
		const first = drawn(200, { seed: 42, rules });
		const count = first.filter((fault) => fault === '503').length;
		expect([count > 40, count < 80]).toEqual([true, true]);
		expect(drawn(200, { seed: 42, rules })).toEqual(first);
		expect(drawn(200, { seed: 43, rules })).not.toEqual(first);
		const withAnother = drawn(200, { seed: 42, rules: [...rules, { fault: 'http', status: 500, rate: 0.5 }] });
		expect(withAnother).toContain('500');
		expect(withAnother.map((fault) => (fault === '500' ? '-' : fault))).toEqual(first);
	});
});
