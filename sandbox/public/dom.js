/** @typedef {import('../control/controlRoutes').Snapshot} Snapshot what the page gets from the sandbox */
/** @typedef {HTMLElementTagNameMap} Tags */
/** @typedef {Node | string | undefined | false} Content of an element; undefined and false are left out */

/** The element that has this id in index.html. @type {<T extends HTMLElement = HTMLElement>(id: string, type?: new () => T) => T} */
export const byId = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * Creates an element. Content is inserted as text, never as HTML: it may come from a customer's data.
 * @type {<T extends keyof Tags>(tag: T, attributes?: Record<string, string>, ...content: Content[]) => Tags[T]}
 */
export function element(tag, attributes = {}, ...content) {
	const created = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
	created.append(...content.filter((part) => part !== undefined && part !== false));
	return created;
}

/** An element with a class. @type {(tag: keyof HTMLElementTagNameMap, name: string, ...content: Content[]) => HTMLElement} */
export const part = (tag, name, ...content) => element(tag, { class: name }, ...content);

/** A path or host name, which wraps at its separators. @param {string} text */
export const wrappable = (text) =>
	element('code', {}, ...text.split(/(?<=[./-])(?=\w)/).flatMap((piece) => [element('wbr'), piece]));

/** `1 customer`, `2 customers`. @type {(count: number, one: string, many?: string) => string} */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A value of a customer or a fault. @param {unknown} value */
export const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Sets a text, unless it is there already: screen readers would read it out again. @type {(id: string, text: string) => void} */
export function setText(id, text) {
	if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** Of each list, the items' JSON and nodes by id. @type {WeakMap<Element, Map<unknown, { json: string, node: HTMLElement }>>} */
const rendered = new WeakMap();

/**
 * Shows items as the children of an element. The node of an item that has not changed stays, with its focus and what
 * is open in it.
 * @type {<Item extends { id: unknown }>(list: Element, items: Item[], create: (item: Item) => HTMLElement) => void}
 */
export function renderList(list, items, create) {
	const before = rendered.get(list);
	const now = new Map(items.map((item) => {
		const json = JSON.stringify(item);
		const old = before?.get(item.id);
		return [item.id, old?.json === json ? old : { json, node: create(item) }];
	}));
	rendered.set(list, now);
	const nodes = [...now.values()].map(({ node }) => node);
	const focused = list.contains(document.activeElement) && document.activeElement?.getAttribute('aria-label');
	for (const { node } of before?.values() ?? []) if (!nodes.includes(node)) node.remove();
	// only what is new is inserted: a node that is moved would lose the focus
	nodes.forEach((node, index) => node !== list.children[index] && list.insertBefore(node, list.children[index] ?? null));
	if (!focused || document.activeElement !== document.body) return;
	for (const button of list.querySelectorAll('button')) if (button.ariaLabel === focused) button.focus();
}
