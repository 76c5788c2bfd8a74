'use strict';

/** A field of one operation, as n8n's starter shows and hides it. */
const field = (operation, displayName, name, type, more = {}) => ({
	displayName,
	name,
	type,
	required: true,
	default: type === 'number' ? 0 : '',
	displayOptions: { show: { operation: [operation] } },
	...more,
});

/** Sends itself, by its own name. */
const sent = (property) => ({ routing: { send: { type: 'body', property } } });

const operation = (name, value, action, method, url) => ({ name, value, action, routing: { request: { method, url } } });

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
						operation('Get Gateway', 'get', 'Get a gateway', 'GET', '=/v1/voip/dss/gtw/{{$parameter.gatewayId}}'),
						operation('Set Premium', 'setPremium', 'Set premium', 'PUT', '/v1/voip/dss/trunk/country/setpremium'),
						operation('Add Customer', 'add', 'Add a customer', 'POST', '/v1/customers/add'),
					],
					default: 'get',
				},
				field('get', 'Gateway ID', 'gatewayId', 'string'),
				field('setPremium', 'Trunk ID', 'idTrunk', 'number', sent('idTrunk')),
				field('setPremium', 'Country', 'iso', 'string', sent('iso')),
				field('add', 'VAT Number', 'vatNumber', 'string', sent('vatNumber')),
			],
		};
	}
}

module.exports = { PlainVoiceAdmin };
