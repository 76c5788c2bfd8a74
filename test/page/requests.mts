import type { Sandbox } from '../../sandbox';
import { DocumentedClient, type Response, type Sent } from '../sandbox/documentedClient';

/** A client that sends what a scenario wants sent, and takes whatever comes: the connection may break. */
export class Caller extends DocumentedClient {
	override async call(method: string, path: string, sent?: Sent): Promise<Response> {
		return await this.callFreely(method, path, sent).catch((error: unknown) => error as Response);
	}

	/** Something of everything that the page shows. */
	async everything(sandbox: Sandbox): Promise<void> {
		await this.setPremium({ idTrunk: 1001, iso: 'IT' });
		await this.setPremium({ idTrunk: 1004, iso: 'FR', organizationId: 10, sbcId: 2, premium_available: 'yes' });
		await this.setPremium({ idTrunk: 1500, iso: 'DE' });
		await this.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' });
		await this.gateway('1');
		await this.gateway('99');
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: '/v1/customers', count: 1 }, { fault: 'http503', path: '/v1/voip/dss/gtw' }] });
		await this.addCustomer({ vatNumber: 'IT00743110157', companyName: 'Verdi S.p.A.' });
		await this.gateway('3');
	}
}
