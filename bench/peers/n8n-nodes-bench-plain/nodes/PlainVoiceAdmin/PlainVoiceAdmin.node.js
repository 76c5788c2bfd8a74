'use strict';

const { NodeConnectionTypes } = require('n8n-workflow');

/** Fields of one operation, as n8n's starter shows and hides them. */
const showFor = (operation, fields) => fields.map((field) => ({ ...field, displayOptions: { show: { operation: [operation] } } }));

// As n8n's starter has it: expressions for the base URL and the path, fields that send themselves.
class PlainVoiceAdmin {
	constructor() {
		this.description = {
			displayName: 'Plain Voice Admin',
			name: 'plainVoiceAdmin',
			group: ['transform'],
			version: 1,
			subtitle: '={{$parameter["operation"]}}',
			description: 'The three operations, written plainly',
			defaults: { name: 'Plain Voice Admin' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
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
						{
							name: 'Set Premium',
							value: 'setPremium',
							action: 'Set premium',
							routing: { request: { method: 'PUT', url: '/v1/voip/dss/trunk/country/setpremium' } },
						},
						{
							name: 'Add Customer',
							value: 'add',
							action: 'Add a customer',
							routing: { request: { method: 'POST', url: '/v1/customers/add' } },
						},
					],
					default: 'get',
				},
				...showFor('get', [{ displayName: 'Gateway ID', name: 'gatewayId', type: 'string', required: true, default: '' }]),
				...showFor('setPremium', [
					{ displayName: 'Trunk ID', name: 'idTrunk', type: 'number', required: true, default: 0, routing: { send: { type: 'body', property: 'idTrunk' } } },
					{ displayName: 'Country', name: 'iso', type: 'string', required: true, default: '', routing: { send: { type: 'body', property: 'iso' } } },
				]),
				...showFor('add', [
					{ displayName: 'VAT Number', name: 'vatNumber', type: 'string', required: true, default: '', routing: { send: { type: 'body', property: 'vatNumber' } } },
				]),
			],
		};
	}
}

module.exports = { PlainVoiceAdmin };
