import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, ICredentialsDecrypted, INodeCredentialTestResult } from 'n8n-workflow';

import { testVoiceAdminApi } from '../../../nodes/VoiceAdmin/methods/credentialTest';

/** Tests a credential as the editor's button does, by n8n's own helper for such tests. */
export async function testCredential(data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
	const credential = { id: '1', name: 'x', type: 'voiceAdminApi', data } as ICredentialsDecrypted;
	return await testVoiceAdminApi.call(new CredentialTestContext(), credential);
}
