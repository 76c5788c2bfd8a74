import { cellsOf } from './listFiles.mts';
import { STEP_WITHIN_MS, until } from '../../support/until';

/** What a page of a form is told, by the label of each field; a list is of what is ticked. */
export type Answers = Record<string, string | string[] | File>;

/** Addresses that n8n gives are by name, which may first be tried as ::1, where it does not listen. */
async function ask(address: string, body?: FormData): Promise<string> {
	const local = address.replace('//localhost:', '//127.0.0.1:');
	const response = await fetch(local, {
		...(body && { method: 'POST', body }),
		signal: AbortSignal.timeout(STEP_WITHIN_MS),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 300)}`);
	return text;
}

/** Opens a page of a form and sends it. @returns the page, and what n8n answers */
async function submit(address: string, answers: Answers): Promise<{ page: string; answer: string }> {
	const page = await ask(address);
	const labels = page.matchAll(/<label[^>]*for=['"](field-\d+)['"][^>]*>\s*([^<]*?)\s*<\/label>/g);
	const choices = page.matchAll(/<label[^>]*>([^<]*)<\/label>\s*<div\s+class='multiselect[^>]*?id='(field-\d+)'/g);
	const fields = [
		...[...labels].map(([, id, label]) => [label!, id!]),
		...[...choices].map(([, label, id]) => [label!, id!]),
	];
	const ids = new Map(
		fields.map(([label, id]) => [
			label!
				.replace(/&#(39|x27);/g, "'")
				.replaceAll('&quot;', '"')
				.replaceAll('&amp;', '&'),
			id!,
		]),
	);
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) {
		const id = ids.get(label);
		if (!id) throw new Error(`The form has no field "${label}", but ${[...ids.keys()].join(', ')}`);
		body.set(id, Array.isArray(answer) ? JSON.stringify(answer) : answer);
	}
	return { page, answer: await ask(address, body) };
}

/**
 * Opens a form of n8n, sends its pages (answers of a function, once they are there), and waits for the one that ends it: the requests that
 * the form's own script makes.
 * @returns the last page as a person reads it, with its entities as they are in the page, the file that it comes with,
 * and the texts of those between
 */
export async function sendForm(address: string, first: Answers, ...next: Array<Answers | (() => Promise<Answers>)>) {
	const { formWaitingUrl } = JSON.parse((await submit(address, first)).answer) as { formWaitingUrl: string };
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	const isWaiting = async () => {
		const words = await ask(status.href);
		if (!/form-waiting|running|new|null/.test(words)) throw new Error(`The form ended as "${words}", without a page`);
		return words.includes('form-waiting');
	};
	const between: string[] = [];
	for (const answers of next) {
		await until(isWaiting, 'the form asks for more', 100);
		const given = typeof answers === 'function' ? await answers() : answers;
		between.push(plain((await submit(formWaitingUrl, given)).page));
	}
	await until(isWaiting, 'the form has ended', 100);
	const page = await ask(formWaitingUrl);
	const [, title = '', text = ''] = /<h1>([\s\S]*?)<\/h1>\s*<p[^>]*>([\s\S]*?)<\/p>/.exec(page) ?? [];
	return { title, text: plain(text), file: fileOf(page), between };
}

/** The cells of the workbook that a page lets its reader download. n8n 2.41.1 has a list of them. */
function fileOf(page: string): string[][] {
	const [, encoded = ''] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	const [file] = encoded ? [JSON.parse(decodeURIComponent(encoded)) as Download | Download[]].flat() : [];
	if (!file) return [];
	return cellsOf(typeof file.data === 'string' ? Buffer.from(file.data, 'latin1') : Buffer.from(file.data.data));
}

interface Download {
	data: string | { data: number[] };
}

const plain = (html: string) => html.replace(/<br ?\/?>/g, '\n').replace(/<[^>]*>/g, '');
