import { readFileSync } from 'node:fs';
import path from 'node:path';

import { MISTAKES } from '../mutation/mistakes';

test('each mistake of mistakes.ts can be made', () => {
	const found = MISTAKES.map(
		([file, from]) =>
			readFileSync(path.join(__dirname, '..', '..', 'nodes', 'VoiceAdmin', file), 'utf8').split(from).length - 1,
	);
	expect(found).toEqual(MISTAKES.map(() => 1));
});
