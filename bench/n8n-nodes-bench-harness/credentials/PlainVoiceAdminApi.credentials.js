// As n8n's documentation shows a credential that exchanges a key for a token that expires.
class PlainVoiceAdminApi {
	constructor() {
		this.name = 'plainVoiceAdminApi';
		this.displayName = 'Plain Voice Admin API';
		this.properties = [
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
			{ displayName: 'Client ID', name: 'clientId', type: 'string', default: '' },
			{ displayName: 'API Key', name: 'clientSecret', type: 'string', typeOptions: { password: true }, default: '' },
			{ displayName: 'Access Token', name: 'accessToken', type: 'hidden', typeOptions: { expirable: true, password: true }, default: '' },
		];
		this.authenticate = { type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.accessToken}}' } } };
	}

	/** @this {import('n8n-workflow').IHttpRequestHelper} */
	async preAuthentication({ baseUrl, clientId, clientSecret }) {
		const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
		const body = new URLSearchParams({ clientId, clientSecret }).toString();
		const reply = await this.helpers.httpRequest({ method: 'POST', url: `${baseUrl}/auth/api-key/login`, headers, body, json: true });
		return { accessToken: reply.access_token };
	}
}

module.exports = { PlainVoiceAdminApi };
