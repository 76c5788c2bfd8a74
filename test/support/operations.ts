import type { INodeParameters } from 'n8n-workflow';

/** Parameters of each operation as a saved workflow holds them. */
export function setPremium(idTrunk: unknown, iso: unknown, more: INodeParameters = {}): INodeParameters {
	const country = { __rl: true, mode: 'code', value: iso as string };
	return { resource: 'dssTrunk', operation: 'setPremium', idTrunk: idTrunk as number, iso: country, ...more };
}

export function getGateway(gatewayId: unknown, more: INodeParameters = {}): INodeParameters {
	return { resource: 'dssGateway', operation: 'get', gatewayId: gatewayId as string, ...more };
}

/** Any VAT number, as most tests number their customers; Other Fields, if they are given, as JSON. */
export function addCustomer(vatNumber: unknown, { options, ...more }: INodeParameters = {}): INodeParameters {
	return {
		resource: 'customer',
		operation: 'add',
		vatNumber: vatNumber as string,
		...('otherFields' in more && { specifyOtherFields: 'json' }),
		...more,
		options: { validateVatNumber: false, ...(options as INodeParameters) },
	};
}

/** So many items, numbered from 0. */
export function numbered(count: number): Array<{ n: number }> {
	return Array.from({ length: count }, (_, n) => ({ n }));
}
