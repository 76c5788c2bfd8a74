import { readExample, withFields, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';

const FILE = 'gateway-audit';
const PBX_NEEDS_ONE = 'gatewayAuditOfPbx';

export const prepare: Prepare = async ({ people }) => {
	const example = withPostInPlaceOf(await readExample(FILE), 'Send the report here', people.url);
	const others = withFields({ ...example, id: PBX_NEEDS_ONE }, 'Gateways to audit', { gatewayId: '["5", "6", "7"]' });
	return [example, withFields(others, 'Settings', { needsOne: 'pbx' })];
};

export function tests(fixture: () => ExamplesFixture): void {
	async function report(id: string) {
		expect((await fixture().server.run(id, 'Every night')).status).toBe('success');
		const [only, ...more] = fixture().people.taken();
		expect(more).toEqual([]);
		return only;
	}

	test('tells gateways that have no termination URI from those that could not be read', async () => {
		expect(await report(FILE)).toEqual({
			read: 4,
			needOne: [],
			haveNone: [
				{ gatewayId: '2', result: 'has none', detail: 'Milano PBX, pbx' },
				{ gatewayId: '3', result: 'has none', detail: 'Milano Carrier, carrier' },
			],
			notRead: [{ gatewayId: '99', result: 'could not be read', detail: 'The requested DSS resource is not found; No gateway has the id 99' }],
			text: [
				'Termination URIs of 4 gateways',
				'',
				'Missing a required termination URI:',
				'none',
				'',
				'Without a termination URI (not required for their type):',
				'- 2: Milano PBX, pbx',
				'- 3: Milano Carrier, carrier',
				'',
				'Could not be read:',
				'- 99: The requested DSS resource is not found; No gateway has the id 99',
			].join('\n'),
		});
	});

	test('tells those that need one from those of other types, which may have none', async () => {
		expect(await report(PBX_NEEDS_ONE)).toMatchObject({
			read: 3,
			needOne: [{ gatewayId: '6', detail: 'Torino PBX, pbx' }],
			haveNone: [{ gatewayId: '7' }],
			notRead: [],
		});
	});

	test.each([
		['one that the service fails for', { fault: 'http500', path: '/v1/voip/dss/gtw/6' }, ['6']],
		['all, when the key lacks the permission', { fault: 'http403', path: '/v1' }, ['5', '6', '7']],
	] as const)('reports as not read, and not as one that needs a termination URI: %s', async (_what, rule, notRead) => {
		fixture().sandbox.setFaults({ rules: [rule] });
		const read = { read: 3 - notRead.length, needOne: [], notRead: notRead.map((gatewayId) => ({ gatewayId })) };
		expect(await report(PBX_NEEDS_ONE)).toMatchObject(read);
	});
}
