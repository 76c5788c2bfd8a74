import { readExample, withFields, withPostInPlaceOf } from '../../support/n8n/example.mts';
import type { ExamplesFixture, Prepare } from '../../support/n8n/inExamples.mts';

const FILE = 'gateway-audit';
const PBX_NEEDS_ONE = 'gatewayAuditOfPbx';

export const prepare: Prepare = async ({ people }) => {
	const example = withPostInPlaceOf(readExample(FILE), 'Send the report here', people.url);
	const others = withFields({ ...example, id: PBX_NEEDS_ONE }, 'Gateways to audit', { gatewayId: '["5", "6", "7"]' });
	return [example, withFields(others, 'Settings', { needsOne: 'pbx' })];
};

export function tests(fixture: () => ExamplesFixture): void {
	async function reports(id: string) {
		expect((await fixture().server.run(id, 'Every night')).status).toBe('success');
		return fixture().people.taken();
	}

	test('tells gateways that have no termination URI from those that could not be read', async () => {
		const text = [
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
		].join('\n');
		expect(await reports(FILE)).toEqual([expect.objectContaining({ text })]);
	});

	test.each([
		['tells one that needs a termination URI from those of other types', undefined, ['6'], ['7'], []],
		[
			'does not count one that the service fails for as one without',
			{ fault: 'http', status: 500, path: '/v1/voip/dss/gtw/6' },
			[],
			['7'],
			['6'],
		],
		[
			'has read none when the key lacks the permission',
			{ fault: 'http', status: 403, path: '/v1' },
			[],
			[],
			['5', '6', '7'],
		],
	] as const)('%s, and says if none has the type', async (_what, rule, needOne, haveNone, notRead) => {
		fixture().sandbox.setFaults(rule ? [rule] : []);
		const of = (ids: readonly string[]) => ids.map((gatewayId) => expect.objectContaining({ gatewayId }) as object);
		const sorted = { read: 3 - notRead.length, needOne: of(needOne), haveNone: of(haveNone), notRead: of(notRead) };
		const [report] = await reports(PBX_NEEDS_ONE);
		expect(report).toMatchObject(sorted);
		const isWrong = needOne.length === 0 && haveNone.length > 0;
		expect(/None of them has the type "pbx"/.test(String(report!.text))).toBe(isWrong);
	});
}
