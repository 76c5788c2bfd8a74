import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { DOCUMENTS, targetsOf, textOf } from './documents';

const root = join(__dirname, '../..');
const MOST_BYTES = 200 * 1024;

/** Names of the pictures that a document of the project shows. */
const shown = DOCUMENTS.flatMap((file) => targetsOf(textOf(file))
	.flatMap((target) => /(?:^|\/)images\/([\w.-]+)$/.exec(target)?.[1] ?? []));

test('every picture is shown by a document', () => {
	expect(readdirSync(join(root, 'docs/images')).filter((image) => !shown.includes(image))).toEqual([]);
});

test('no picture is larger than 200 KB', () => {
	const sizes = readdirSync(join(root, 'docs/images')).map((image) => [image, statSync(join(root, 'docs/images', image)).size] as const);
	expect(sizes.filter(([, size]) => size > MOST_BYTES)).toEqual([]);
});
