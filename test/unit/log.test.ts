import { LoggerProxy } from 'n8n-workflow';

import { logDebug } from '../../nodes/VoiceAdmin/log';

const noLogger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const key = { baseUrl: 'https://api.example.com', fingerprint: 'abcdefghijklmnop' };

afterEach(() => LoggerProxy.init(noLogger as never));

test('a log line names the service, and the key by the beginning of a hash', () => {
	const debug = jest.fn();
	LoggerProxy.init({ ...noLogger, debug } as never);
	logDebug(key, 'logged in');
	expect(debug).toHaveBeenCalledWith('Voice Admin: logged in', { service: 'https://api.example.com', key: 'abcdefgh' });
});

test('a log that fails does not fail what it is about', () => {
	const debug = () => {
		throw new Error('no space left on device');
	};
	LoggerProxy.init({ ...noLogger, debug } as never);
	expect(() => logDebug(key, 'logged in')).not.toThrow();
});
