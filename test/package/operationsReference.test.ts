import { operationsReference } from '../../scripts/docs/operations';
import { textOf } from './documents';

const FILE = 'docs/operations.md';

test(`${FILE} is what \`npm run docs\` writes`, () => {
	const isCurrent = textOf(FILE) === operationsReference();
	expect(`${FILE} ${isCurrent ? 'is current' : 'is not current: run `npm run docs`'}`).toBe(`${FILE} is current`);
});
