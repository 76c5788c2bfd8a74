import { parseCredential } from '../../nodes/VoiceAdmin/transport/auth/credential';
import type { ApiRequest } from '../../nodes/VoiceAdmin/transport/apiRequest';
import { toHttpRequest } from '../../nodes/VoiceAdmin/transport/sendRequest';
import { credentialFor } from '../support/executor/credentialStore';

const credential = parseCredential(credentialFor('https://api.example.com/base'));
const get: ApiRequest = { method: 'GET', path: '/v1/x', fields: {} };
const made = (more: Partial<ApiRequest> = {}, ofCredential = {}) =>
	toHttpRequest({ ...get, ...more }, { ...credential, ...ofCredential }, 5_000);

test('a query is encoded, and a list repeats its name', () => {
	const query = { note: 'new & used', tag: ['a', 'b'], max_items: 0 };
	expect(made({ query }).url).toBe('https://api.example.com/base/v1/x?note=new+%26+used&tag=a&tag=b&max_items=0');
	expect(made({ query: {} }).url).toBe('https://api.example.com/base/v1/x');
});
