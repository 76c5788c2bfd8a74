import { createOnce, type Creates, finalResults, withOtherCreates } from '../../nodes/VoiceAdmin/execution/createOnce';
import type { Failure } from '../../nodes/VoiceAdmin/transport/failure';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/request';

const create = (number: number): ApiRequest => ({ method: 'POST', path: '/x', fields: {}, creates: `customer with VAT number ${number}` });
const failure = (outcome: Failure['outcome']): Failure => ({ message: 'No', description: '', code: 'rejected', outcome });
const done = { value: [{ json: { id: 1 } }] };

test('what an earlier attempt did not do is no result of it: whatever is wrong with the item now is shown', async () => {
	const creates: Creates = new Map();
	await createOnce(creates, 0, 0, create(1), async () => ({ failure: failure('not_done') }));
	await createOnce(creates, 0, 1, create(2), async () => 'aborted');
	expect([await finalResults(creates, 0), await finalResults(creates, 1)]).toStrictEqual([[], []]);
	await createOnce(creates, 0, 0, create(1), async () => done);
	expect(await finalResults(creates, 0)).toEqual([done]);
});

test.each([[10, 'number 10'], [11,
	'number 10 and 1 more']])('an error that stops a run names 10 of %d customers that were created', async (count, end) => {
	const creates: Creates = new Map();
	for (let item = 1; item <= count; item++) await createOnce(creates, item, 0, create(item), async () => done);
	await createOnce(creates, 0, 0, create(0), async () => 'aborted');
	const { description } = await withOtherCreates(failure('not_done'), 0, creates);
	expect(description).toMatch(new RegExp(`^Created before the run stopped: customer with VAT number 1, .+ ${end}$`));
});
