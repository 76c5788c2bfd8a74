import { credentials } from './credentials.mjs';

/** An access token as the sandbox issues it: a JSON Web Token. */
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;

/**
 * The secrets that stand in a text, by what they are: neither may ever be in what n8n prints.
 * @param {string} text
 * @returns {string[]}
 */
export function secretsIn(text) {
	const keys = credentials('').filter(({ data }) => text.includes(data.clientSecret));
	return [...keys.map(({ name }) => `the API key of "${name}"`), ...(TOKEN.test(text) ? ['an access token'] : [])];
}
