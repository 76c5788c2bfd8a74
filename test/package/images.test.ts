import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { hashOfShown, TAKEN } from '../support/shownInPictures';
import { DOCUMENTS, targetsOf, textOf } from './documents';

const root = join(__dirname, '../..');
const MOST_BYTES = 200 * 1024;

/** Names of the pictures that a document of the project shows. */
const shown = DOCUMENTS.flatMap((file) => targetsOf(textOf(file))
	.flatMap((target) => /(?:^|\/)images\/([\w.-]+)$/.exec(target)?.[1] ?? []));

test('every picture is shown by a document', () => {
	expect(readdirSync(join(root, 'docs/images')).filter((image) => !shown.includes(image))).toEqual([]);
});

test('no picture is older than the texts that it shows', () => {
	const pictures = readdirSync(join(root, 'docs/images')).filter((file) => file.endsWith('.png'));
	const taken = JSON.parse(textOf(TAKEN)) as Record<string, string>;
	const old = pictures.filter((file) => taken[file] !== hashOfShown(file.replace('.png', '')));
	// UPDATE_IMAGES=1 npm run e2e:browser takes them again, and npm run e2e:page sandbox.png.
	expect(old).toEqual([]);
	expect(Object.keys(taken).filter((file) => !pictures.includes(file))).toEqual([]);
});

test('no picture is larger than 200 KB', () => {
	const sizes = readdirSync(join(root, 'docs/images')).map((image) => [image, statSync(join(root, 'docs/images', image)).size] as const);
	expect(sizes.filter(([, size]) => size > MOST_BYTES)).toEqual([]);
});
