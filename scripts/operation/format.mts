import { format } from 'prettier';

/** In the style of the files around. */
export const formatted = async (text: string, parser: 'typescript' | 'yaml') =>
	await format(text, { parser, useTabs: true, singleQuote: true, printWidth: parser === 'yaml' ? 120 : 140 });
