import { createHash } from 'node:crypto';

import { LoggerProxy } from 'n8n-workflow';

import { logDebug } from '../../nodes/VoiceAdmin/log';

const noLogger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const key = { baseUrl: 'https://api.example.com', fingerprint: 'abcdefghijklmnop' };

afterEach(() => LoggerProxy.init(noLogger as never));

test('a log line names the service, and the key by a text of this process, from which nobody can tell the hash', () => {
	const debug = jest.fn<void, [string, { service: string; key: string }]>();
	LoggerProxy.init({ ...noLogger, debug } as never);
	for (const fingerprint of ['abcdefghijklmnop', 'abcdefghijklmnop', 'another'])
		logDebug({ ...key, fingerprint }, 'logged in');
	const [first, again, other] = debug.mock.calls.map(([, logged]) => logged.key);
	expect(debug.mock.calls[0]).toEqual(['Voice Admin: logged in', { service: 'https://api.example.com', key: first }]);
	expect([again, first!.length, other === first]).toEqual([first, 8, false]);
	const unsalted = ['abcdefghijklmnop', createHash('sha256').update('abcdefghijklmnop').digest('base64')];
	expect(unsalted.map((text) => text.slice(0, 8))).not.toContain(first);
});

test('a log that fails does not fail what it is about', () => {
	const debug = () => {
		throw new Error('no space left on device');
	};
	LoggerProxy.init({ ...noLogger, debug } as never);
	expect(() => logDebug(key, 'logged in')).not.toThrow();
});
