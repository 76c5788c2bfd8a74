// As n8n's documentation shows a declarative node, with one operation: expressions for the base URL and the path.
class PlainVoiceAdmin {
	constructor() {
		this.description = {
			displayName: 'Plain Voice Admin',
			name: 'plainVoiceAdmin',
			group: ['transform'],
			version: 1,
			description: 'Get Gateway, written plainly',
			defaults: { name: 'Plain Voice Admin' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'plainVoiceAdminApi', required: true }],
			requestDefaults: {
				baseURL: '={{$credentials.baseUrl}}',
				url: '=/v1/voip/dss/gtw/{{$parameter.gatewayId}}',
				headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			},
			properties: [{ displayName: 'Gateway ID', name: 'gatewayId', type: 'string', required: true, default: '' }],
		};
	}
}

module.exports = { PlainVoiceAdmin };
