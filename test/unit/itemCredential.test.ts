import { credentialReader } from '../../nodes/VoiceAdmin/execution/itemCredential';
import { credentialFor } from '../support/executor/credentialStore';

/**
 * How often the credential of a run with three items is read.
 * @param stored its fields as they are stored; undefined where n8n doesn't let them be read
 */
async function reads(stored: object | undefined): Promise<number> {
	let count = 0;
	const getCredentials = async () => {
		count++;
		return credentialFor('https://api.example.com');
	};
	const additionalData = stored && { credentialsHelper: { getDecrypted: async () => stored } };
	const credentialOf = credentialReader({
		additionalData,
		getNode: () => ({ credentials: { voiceAdminApi: {} } }),
		getCredentials,
	} as never);
	for (const item of [0, 1, 2]) await credentialOf(item);
	return count;
}

test.each<[string, object | undefined, number]>([
	['without expressions', { clientId: 'a$json', port: 7 }, 1],
	['with an expression that is the same for all items', { clientId: '={{ $secrets.vault.id }}' }, 1],
	['with an expression that may read the item', { clientId: '={{ ["A", "B"][$itemIndex] }}' }, 3],
	['of which n8n does not say what is stored', undefined, 3],
])('a credential %s is read as often as it may differ', async (_name, stored, expected) => {
	expect(await reads(stored)).toBe(expected);
});
