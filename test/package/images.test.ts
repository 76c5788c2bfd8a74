import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const MOST_BYTES = 200 * 1024;

const shown = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/docs\/images\/([\w.-]+)/g)].map(([, image]) => image!);

test('every picture that README shows is there, and none that it does not show', () => {
	const screenshots = (files: string[]) => [...new Set(files)].filter((file) => file.endsWith('.png')).sort();
	// The plots are the benchmarks' own.
	expect(screenshots(shown)).toEqual(screenshots(readdirSync(join(root, 'docs/images'))));
	for (const image of shown) expect(`${image} ${existsSync(join(root, 'docs/images', image)) ? 'is there' : 'is missing'}`).toBe(`${image} is there`);
});

test('no picture is larger than 200 KB', () => {
	for (const image of readdirSync(join(root, 'docs/images'))) expect(`${image} has ${statSync(join(root, 'docs/images', image)).size > MOST_BYTES ? 'too many' : 'few enough'} bytes`).toBe(`${image} has few enough bytes`);
});
