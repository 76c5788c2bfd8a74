import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Endpoint } from './document.mts';
import { toCamelCase, capitalize, joinWords, sentencesOf, toSingular, toTitleCase, wordsOf } from './text.mts';

/** Names in the editor and in workflows: "VoIP DSS Trunk" (`dssTrunk`). */
export type NamePair = { name: string; value: string };

/** n8n's names of operations, and the verbs of documents, by method. */
const VERBS: Record<string, [title: string, verbs: RegExp]> = {
	GET: ['Get', /^(?:get|read|retrieve|fetch|show|find|view|list|return|search)$/],
	POST: ['Create', /^(?:create|add|new|post|insert)$/],
	PUT: ['Update', /^(?:update|edit|modify|change|put|replace)$/],
	PATCH: ['Update', /^(?:update|edit|modify|change|patch)$/],
	DELETE: ['Delete', /^(?:delete|remove|destroy)$/],
};

/** The steps of a path, without parameters and version. */
const stepsOf = (path: string) =>
	path.split('/').filter((step) => step !== '' && !step.includes('{') && !/^(?:api|rest|v[\d.]+)$/i.test(step));

const toSingulars = (words: string[]) => words.map(toSingular).join(' ');

/** The resource of an operation: that of its tag, or else the last step of its path. */
export function resourceOf({ path, operation }: Endpoint): NamePair {
	const words = wordsOf(operation.tags?.[0] ?? stepsOf(path).at(-1) ?? '');
	const nouns = [...words.slice(0, -1), ...words.slice(-1).map(toSingular)];
	const pair = { name: toTitleCase(nouns), value: toCamelCase(nouns) };
	return RESOURCES.find(({ name, value }) => name === pair.name || value === pair.value) ?? pair;
}

/** Names of an operation, the best first: "Get" and its like for the resource itself, its summary, its id. */
export function listTitles({ method, path, id, operation }: Endpoint, resource: string, isList: boolean): string[] {
	const words = wordsOf(sentencesOf(operation.summary)[0] ?? '').filter((word) => !/^(?:an?|the|all|your)$/.test(word));
	const idWords = wordsOf(id.startsWith(`${method} `) ? `${method} ${stepsOf(path).join(' ')}` : id.split('/').at(-1)!);
	const { [method]: [defaultTitle, verbs] = ['', /$^/] } = VERBS;
	const [verb, noun] = [toSingular(words[0] ?? idWords[0] ?? ''), toSingulars(wordsOf(resource))];
	const isLast = ` ${noun}`.endsWith(` ${toSingulars(wordsOf(stepsOf(path).at(-1) ?? ''))}`);
	const isItself = isLast && (words.length === 0 || verbs.test(verb));
	// With some providers, a path ends with `{id}.json` or `Users({id})`.
	const isMany = method === 'GET' && (isList || !/\}[^/]*\/?$/.test(path));
	// "Restart a trunk" is "Restart".
	const isOwnVerb = words.length > 1 && noun.endsWith(toSingulars(words.slice(1)));
	const shortTitle = isItself ? (isMany ? 'Get Many' : defaultTitle) : isOwnVerb ? toTitleCase([verb]) : '';
	const summaryTitle = words.length > 1 && words.length < 6 ? toTitleCase([verb, ...words.slice(1)]) : '';
	return [shortTitle, summaryTitle, toTitleCase(idWords.slice(0, 10))];
}

/** "Get a VoIP DSS trunk", "Get many VoIP DSS trunks", "Restart a VoIP DSS trunk", "List available numbers". */
export function createActionText(title: string, resource: string): string {
	const [words, resourceText] = [wordsOf(title), joinWords(wordsOf(resource))];
	if (title === 'Get Many') return `Get many ${resourceText}${/(?:s|x|ch)$/.test(resourceText) ? 'es' : 's'}`;
	const article = /^(?:[aeio]|u(?!ni|s)|[AEIO]|[FHLMNRSX][B-DF-HJ-NP-TV-Z])/.test(resourceText) ? 'an' : 'a';
	return capitalize(words.length > 1 ? joinWords(words) : `${words[0]} ${article} ${resourceText}`);
}
