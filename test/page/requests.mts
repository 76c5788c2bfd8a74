import { DEMO_CLIENT, type Sandbox } from '../../sandbox';

/** A client that sends what a scenario wants sent, and takes whatever comes. */
export class Caller {
	private constructor(
		private readonly url: string,
		readonly token: string,
	) {}

	static async of({ url }: Sandbox): Promise<Caller> {
		const { clientId, clientSecret } = DEMO_CLIENT;
		const reply = await fetch(`${url}/auth/api-key/login`, { method: 'POST', body: new URLSearchParams({ clientId, clientSecret }) });
		return new Caller(url, ((await reply.json()) as { access_token: string }).access_token);
	}

	/** The status; undefined where the connection broke. */
	async send(method: string, path: string, body?: unknown): Promise<number | undefined> {
		const headers = { Authorization: `Bearer ${this.token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
		try {
			const reply = await fetch(this.url + path, { method, headers, body: JSON.stringify(body) });
			await reply.arrayBuffer();
			return reply.status;
		} catch {
			return undefined;
		}
	}

	async setPremium(idTrunk: number, iso: string, more: object = {}): Promise<number | undefined> {
		return await this.send('PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk, iso, ...more });
	}

	async addCustomer(customer: object): Promise<number | undefined> {
		return await this.send('POST', '/v1/customers/add', customer);
	}

	async getGateway(id: string): Promise<number | undefined> {
		return await this.send('GET', `/v1/voip/dss/gtw/${id}`);
	}

	/** Something of everything that the page shows. */
	async everything(sandbox: Sandbox): Promise<void> {
		await this.setPremium(1001, 'IT');
		await this.setPremium(1004, 'FR', { organizationId: 10, sbcId: 2, premium_available: 'yes' });
		await this.setPremium(1500, 'DE');
		await this.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' });
		await this.getGateway('1');
		await this.getGateway('99');
		sandbox.switchFault('resetAfter', { path: '/v1/customers', count: 1 });
		sandbox.switchFault('http503', { path: '/v1/voip/dss/gtw' });
		await this.addCustomer({ vatNumber: 'IT00743110157', companyName: 'Verdi S.p.A.' });
		await this.getGateway('3');
	}
}
