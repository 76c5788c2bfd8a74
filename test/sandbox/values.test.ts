import type { FaultRule } from '../../sandbox';
import { FaultInjector } from '../../sandbox/faults/faultInjector';

describe('faults', () => {
	/** What is drawn for so many requests of a gateway, such as `503`; `-` for none. */
	const drawn = (count: number, rules: FaultRule[]) => {
		const draw = new FaultInjector(rules);
		return Array.from({ length: count }, () => {
			const reply = draw.draw('GET', '/v1/voip/dss/gtw/1', '').injection?.reply;
			return typeof reply === 'object' ? String(reply.status) : '-';
		});
	};

	it('are injected into so many requests after so many that pass, by the first rule that is drawn; each rule counts all of them', () => {
		const rules: FaultRule[] = [
			{ fault: 'http', status: 429, after: 1, count: 2 },
			{ fault: 'http', status: 503, after: 2, count: 2 },
		];
		expect(drawn(6, rules)).toEqual(['-', '429', '429', '503', '503', '-']);
	});

	it('come about as often as was asked for, the same each time, whatever other rules there are', () => {
		const rules: FaultRule[] = [{ fault: 'http', status: 503, rate: 0.3 }];
		const first = drawn(200, rules);
		const count = first.filter((fault) => fault === '503').length;
		expect([count > 40, count < 80]).toEqual([true, true]);
		expect(drawn(200, rules)).toEqual(first);
		const withAnother = drawn(200, [...rules, { fault: 'http', status: 500, rate: 0.5 }]);
		expect(withAnother).toContain('500');
		expect(withAnother.map((fault) => (fault === '500' ? '-' : fault))).toEqual(first);
	});
});
