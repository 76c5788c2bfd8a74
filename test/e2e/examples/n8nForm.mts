import { until } from '../../support/until';

const ANSWER_WITHIN_MS = 30_000;

/** Addresses that n8n gives are by name, which may first be tried as ::1, where it does not listen. */
async function ask(address: string, body?: FormData): Promise<string> {
	const local = address.replace('//localhost:', '//127.0.0.1:');
	const response = await fetch(local, { ...(body && { method: 'POST', body }), signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`);
	return text;
}

/**
 * Opens a form of n8n, sends it, and waits for the page that ends it: the requests that the form's own script makes.
 * @param address of the form
 * @param answers by the label of each field
 * @returns the page as a person reads it: without tags, and with its entities as they are in the page
 */
export async function sendForm(address: string, answers: Record<string, string>): Promise<{ title: string; text: string }> {
	const labels = (await ask(address)).matchAll(/<label[^>]*for=['"](field-\d+)['"][^>]*>\s*([^<]*?)\s*<\/label>/g);
	const ids = new Map([...labels].map(([, id, label]) => [label!, id!]));
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) {
		const id = ids.get(label);
		if (!id) throw new Error(`The form has no field "${label}", but ${[...ids.keys()].join(', ')}`);
		body.set(id, answer);
	}
	const { formWaitingUrl } = JSON.parse(await ask(address, body)) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	const hasEnded = async () => {
		const words = await ask(status.href);
		if (!/form-waiting|running|new|null/.test(words)) throw new Error(`The form ended as "${words}", without a page`);
		return words.includes('form-waiting');
	};
	await until(hasEnded, 'the form has ended', { everyMs: 100, withinMs: ANSWER_WITHIN_MS });
	const [, title = '', text = ''] = /<h1>([\s\S]*?)<\/h1>\s*<p[^>]*>([\s\S]*?)<\/p>/.exec(await ask(formWaitingUrl)) ?? [];
	return { title, text: text.replace(/<br \/>/g, '\n').replace(/<[^>]*>/g, '') };
}
