/**
 * An element. Whatever is given as content is put in as text, never as HTML: it may come from a customer's record.
 * @param {string} tag
 * @param {Record<string, string | undefined>} attributes those that are undefined are left out
 * @param {...(Node | string | undefined)} content
 */
export function element(tag, attributes = {}, ...content) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
	made.append(...content.filter((part) => part !== undefined));
	return made;
}

/** A cell of a table. The role is said, because the style sheet of narrow screens takes it from table cells. */
export function cell(attributes, ...content) {
	return element('td', { role: 'cell', ...attributes }, ...content);
}

/** The element of the page that has this id. */
export function byId(id) {
	return document.getElementById(id);
}

/** `1 customer`, `2 customers`. */
export function counted(count, one, many = `${one}s`) {
	return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
