import type { IDataObject } from 'n8n-workflow';

import { json, Recorder } from '../recorder';

/** Where workflows post what they would otherwise tell people. */
export interface Receiver {
	url: string;
	/** What has come since this was last asked. */
	taken(): IDataObject[];
	close(): Promise<void>;
}

/** Starts one on this machine. */
export async function startReceiver(): Promise<Receiver> {
	const recorder = await Recorder.start((_request, response) => json(response, 200, {}));
	return {
		url: `${recorder.url}/`,
		taken: () => recorder.requests.splice(0).map(({ body }) => JSON.parse(body) as IDataObject),
		close: async () => await recorder.close(),
	};
}
