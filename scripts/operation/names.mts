import { RESOURCES } from '../../nodes/VoiceAdmin/operations';
import type { Found } from './document.mts';
import { camelCase, capitalized, inSentence, sentencesOf, singular, titleCase, wordsOf } from './text.mts';

/** Names in the editor and in workflows: "VoIP DSS Trunk" (`dssTrunk`). */
export type Names = { name: string; value: string };

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

const singularOf = (words: string[]) => words.map(singular).join(' ');

/** The resource of an operation: that of its tag, or else the last step of its path. */
export function resourceOf({ path, operation }: Found): Names {
	const words = wordsOf(operation.tags?.[0] ?? stepsOf(path).at(-1) ?? '');
	const nouns = [...words.slice(0, -1), ...words.slice(-1).map(singular)];
	const names = { name: titleCase(nouns), value: camelCase(nouns) };
	return RESOURCES.find(({ name, value }) => name === names.name || value === names.value) ?? names;
}

/** Names of an operation, the best first: "Get" and its like for the resource itself, its summary, its id. */
export function titlesOf({ method, path, id, operation }: Found, resource: string, isList: boolean): string[] {
	const said = wordsOf(sentencesOf(operation.summary)[0] ?? '').filter((word) => !/^(?:an?|the|all|your)$/.test(word));
	const ofId = wordsOf(id.startsWith(`${method} `) ? `${method} ${stepsOf(path).join(' ')}` : id.split('/').at(-1)!);
	const { [method]: [usual, verbs] = ['', /$^/] } = VERBS;
	const [verb, noun] = [singular(said[0] ?? ofId[0] ?? ''), singularOf(wordsOf(resource))];
	const isLast = ` ${noun}`.endsWith(` ${singularOf(wordsOf(stepsOf(path).at(-1) ?? ''))}`);
	const isItself = isLast && (said.length === 0 || verbs.test(verb));
	const isMany = method === 'GET' && (isList || !path.endsWith('}'));
	// "Restart a trunk" is "Restart".
	const isOwnVerb = said.length > 1 && noun.endsWith(singularOf(said.slice(1)));
	const short = isItself ? (isMany ? 'Get Many' : usual) : isOwnVerb ? titleCase([verb]) : '';
	const summary = said.length > 1 && said.length < 6 ? titleCase([verb, ...said.slice(1)]) : '';
	return [short, summary, titleCase(ofId.slice(0, 10))];
}

/** "Get a VoIP DSS trunk", "Get many VoIP DSS trunks", "Restart a VoIP DSS trunk", "List available numbers". */
export function actionOf(title: string, resource: string): string {
	const [words, thing] = [wordsOf(title), inSentence(wordsOf(resource))];
	if (title === 'Get Many') return `Get many ${thing}${/(?:s|x|ch)$/.test(thing) ? 'es' : 's'}`;
	const article = /^(?:[aeio]|u(?!ni|s)|[AEIO]|[FHLMNRSX][B-DF-HJ-NP-TV-Z])/.test(thing) ? 'an' : 'a';
	return capitalized(words.length > 1 ? inSentence(words) : `${words[0]} ${article} ${thing}`);
}
