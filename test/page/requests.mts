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

	/** Sends JSON, or a text as it is; the connection may break. */
	async send(method: string, path: string, body?: object | string): Promise<void> {
		const headers = { Authorization: `Bearer ${this.token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
		const sent = { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
		await fetch(this.url + path, sent).then((response) => response.arrayBuffer()).catch(() => undefined);
	}

	readonly setPremium = (idTrunk: number, iso: string, more: object = {}) =>
		this.send('PUT', '/v1/voip/dss/trunk/country/setpremium', { idTrunk, iso, ...more });

	readonly addCustomer = (customer: object) => this.send('POST', '/v1/customers/add', customer);

	readonly getGateway = (id: string) => this.send('GET', `/v1/voip/dss/gtw/${id}`);

	/** Something of everything that the page shows. */
	async everything(sandbox: Sandbox): Promise<void> {
		await this.setPremium(1001, 'IT');
		await this.setPremium(1004, 'FR', { organizationId: 10, sbcId: 2, premium_available: 'yes' });
		await this.setPremium(1500, 'DE');
		await this.addCustomer({ vatNumber: 'IT12345678903', companyName: 'Rossi Telefonia Srl', city: 'Milano' });
		await this.getGateway('1');
		await this.getGateway('99');
		sandbox.setFaults({ rules: [{ fault: 'resetAfter', path: '/v1/customers', count: 1 }, { fault: 'http503', path: '/v1/voip/dss/gtw' }] });
		await this.addCustomer({ vatNumber: 'IT00743110157', companyName: 'Verdi S.p.A.' });
		await this.getGateway('3');
	}
}
