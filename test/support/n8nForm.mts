import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_WITHIN_MS = 30_000;

/** The page that ends a form, as a person reads it. */
export interface EndingPage {
	title: string;
	/** Text without tags, and with its entities as they are in the page. */
	text: string;
}

/** Addresses that n8n gives are by name, which may first be tried as ::1, where it does not listen. */
const local = (address: string) => new URL(address.replace('//localhost:', '//127.0.0.1:'));

/**
 * Opens a form of n8n, sends it, and waits for the page that ends it: the requests that the form's own script makes.
 * @param address of the form
 * @param answers by the label of each field
 */
export async function sendForm(address: string, answers: Record<string, string>): Promise<EndingPage> {
	const form = await read(await ask(local(address)));
	const labels = [...form.matchAll(/<label[^>]*for=['"](field-\d+)['"][^>]*>\s*([^<]*?)\s*<\/label>/g)].map(([, id, label]) => [label!, id!] as const);
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) {
		const id = new Map(labels).get(label);
		if (!id) throw new Error(`The form has no field "${label}", but ${labels.map(([each]) => each).join(', ')}`);
		body.set(id, answer);
	}
	const { formWaitingUrl } = JSON.parse(await read(await ask(local(address), { method: 'POST', body }))) as { formWaitingUrl: string };
	await ended(local(formWaitingUrl));
	return pageOf(await read(await ask(local(formWaitingUrl))));
}

async function ended(waiting: URL): Promise<void> {
	const status = new URL(waiting);
	status.pathname += '/n8n-execution-status';
	for (const deadline = Date.now() + ANSWER_WITHIN_MS; ; await sleep(100)) {
		const words = await read(await ask(status));
		if (words.includes('form-waiting')) return;
		if (!/running|new|null/.test(words) || Date.now() > deadline) throw new Error(`The form ended as "${words}", without a page`);
	}
}

async function ask(url: URL, init?: RequestInit): Promise<Response> {
	return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
}

async function read(response: Response): Promise<string> {
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`);
	return text;
}

function pageOf(html: string): EndingPage {
	const [, title = '', text = ''] = /<h1>([\s\S]*?)<\/h1>\s*<p[^>]*>([\s\S]*?)<\/p>/.exec(html) ?? [];
	return { title, text: text.replace(/<br \/>/g, '\n').replace(/<[^>]*>/g, '') };
}
