'use strict';

// As n8n's starter has it: expressions for the base URL and the path.
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
				headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			},
			properties: [
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					options: [
						{
							name: 'Get Gateway',
							value: 'get',
							action: 'Get a gateway',
							routing: { request: { method: 'GET', url: '=/v1/voip/dss/gtw/{{$parameter.gatewayId}}' } },
						},
					],
					default: 'get',
				},
				{ displayName: 'Gateway ID', name: 'gatewayId', type: 'string', required: true, default: '' },
			],
		};
	}
}

module.exports = { PlainVoiceAdmin };
