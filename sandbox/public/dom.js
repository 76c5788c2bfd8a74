/** @typedef {import('../control/controlRoutes').Snapshot} Snapshot the sandbox's state */
/** @typedef {HTMLElementTagNameMap} Tags */
/** @typedef {Node | string | undefined | false} Content of an element; undefined and false are left out */

/** An element of index.html. @type {<T extends HTMLElement = HTMLElement>(id: string, type?: new () => T) => T} */
export const getById = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * Creates an element. Content is inserted as text, never as HTML: it may be a customer's data.
 * @type {<T extends keyof Tags>(tag: T, attributes?: Record<string, string>, ...content: Content[]) => Tags[T]}
 */
export function create(tag, attributes = {}, ...content) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	node.append(...content.filter((piece) => piece !== undefined && piece !== false));
	return node;
}

/** An element with a class. @type {(tag: keyof HTMLElementTagNameMap, name: string, ...content: Content[]) => HTMLElement} */
export const createWithClass = (tag, name, ...content) => create(tag, { class: name }, ...content);

/** `1 customer`, `2 customers`. @type {(count: number, noun: string) => string} */
export const formatCount = (count, noun) => `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;

/** Formats a value of a customer or a fault. @param {unknown} value */
export const formatValue = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Sets a text if it has changed: screen readers would read it out again. @type {(id: string, text: string) => void} */
export function setText(id, text) {
	if (getById(id).textContent !== text) getById(id).textContent = text;
}

/** For each list, the JSON and the node of its items, by id. @type {WeakMap<Element, Map<unknown, { json: string, node: HTMLElement }>>} */
const listEntries = new WeakMap();

/**
 * Renders items as the children of an element. The node of an unchanged item stays, and with it the focus and its open
 * details.
 * @type {<Item extends { id: unknown }>(list: Element, items: Item[], render: (item: Item) => HTMLElement) => void}
 */
export function renderList(list, items, render) {
	const oldEntries = listEntries.get(list);
	const newEntries = new Map(
		items.map((item) => {
			const json = JSON.stringify(item);
			const old = oldEntries?.get(item.id);
			return [item.id, old?.json === json ? old : { json, node: render(item) }];
		}),
	);
	listEntries.set(list, newEntries);
	const nodes = [...newEntries.values()].map(({ node }) => node);
	for (const { node } of oldEntries?.values() ?? []) if (!nodes.includes(node)) node.remove();
	// existing nodes aren't moved: that would lose the focus
	nodes.forEach(
		(node, index) => node !== list.children[index] && list.insertBefore(node, list.children[index] ?? null),
	);
}
