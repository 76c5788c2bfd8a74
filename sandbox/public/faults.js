import { byId, counted, element, setText } from './dom.js';
import { change } from './sandbox.js';
/** @import { AnyRule, FaultSwitch, RuleCount, Snapshot } from './types' */

/** Shows what there is of each fault. Made once, so that it keeps the focus and what is typed. @type {Array<(snapshot: Snapshot) => boolean>} */
const renderers = [];
const scope = byId('fault-scope', HTMLSelectElement);
const frequency = byId('fault-frequency', HTMLSelectElement);

byId('expire-tokens').addEventListener('click', () => change('All access tokens have expired.', 'POST', 'expire-tokens'));
byId('faults-off').addEventListener('click', () => change('All faults are off.', 'PUT', 'faults', []));

/** @param {Snapshot} snapshot */
export function renderFaults(snapshot) {
	const { faultGroups } = snapshot;
	if (renderers.length === 0) byId('fault-groups').append(...faultGroups.map(({ title, faults }) => element('div', {}, element('h3', {}, title), element('ul', { role: 'list' }, ...faults.map(makeRow)))));
	// renders each of them
	const on = renderers.map((render) => render(snapshot)).filter(Boolean).length;
	setText('fault-count', on === 0 ? 'None active' : `${on} active`);
}

/** @param {FaultSwitch} kind */
function makeRow({ fault, title, does, needs, scoped }) {
	const toggle = element('input', { type: 'checkbox', role: 'switch', class: 'needs-sandbox', 'aria-labelledby': `fault-${fault}`, 'aria-describedby': `does-${fault} state-${fault}` });
	const input = needs && element('input', { type: 'number', class: 'needs-sandbox', value: String(needs.value), min: String(needs.least), max: String(needs.most), step: needs.step ?? '1' });
	const state = element('p', { id: `state-${fault}`, class: 'state' });
	const turnOn = async () => {
		if (input && !input.reportValidity()) return false;
		const which = scoped && { ...(scope.value !== '' && { path: scope.value }), ...(frequency.value === 'once' && { count: 1 }) };
		return await change(`${title} is on.`, 'PUT', `faults/${fault}`, { ...which, ...(needs && { [needs.name]: input?.valueAsNumber }) });
	};
	toggle.addEventListener('change', async () => {
		const isDone = await (toggle.checked ? turnOn() : change(`${title} is off.`, 'DELETE', `faults/${fault}`));
		if (!isDone) toggle.checked = !toggle.checked;
	});
	input?.addEventListener('change', () => toggle.checked && turnOn());
	const row = element('li', { class: 'fault-row' }, toggle,
		element('h4', { id: `fault-${fault}` }, title),
		input && element('label', { class: 'detail' }, input, ` ${needs.label}`),
		element('p', { id: `does-${fault}`, class: 'detail' }, does),
		state);
	renderers.push(({ plan: { rules = [], rateLimit }, counts }) => {
		/** @type {AnyRule[]} */
		const all = [...rules, ...(rateLimit ? [{ fault: 'rateLimit', ...rateLimit }] : [])];
		const own = all.map((rule, index) => ({ rule, matched: 0, injected: 0, ...counts[index] })).filter(({ rule }) => rule.fault === fault);
		const isOn = own.some(({ rule, injected }) => injected < (rule.count ?? Infinity));
		toggle.checked = isOn;
		if (isOn && needs && input && document.activeElement !== input) input.value = String(own[0]?.rule[needs.name] ?? needs.value);
		setText(state.id, own.map((each) => describe(scoped, each)).join('; '));
		return isOn;
	});
	return row;
}

/** A rule and its effect so far, as a sentence. @type {(scoped: boolean, counted: { rule: AnyRule } & RuleCount) => string} */
function describe(scoped, { rule: { fault: _, count = Infinity, ...parameters }, matched, injected }) {
	const texts = Object.entries(parameters).map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
	const list = texts.length > 0 ? ` (${texts.join(', ')})` : '';
	if (!scoped) return `On${list}`;
	const left = count - injected;
	const which = left === Infinity ? 'every request' : left === 1 ? 'the next request' : `the next ${left} requests`;
	return `${left <= 0 ? 'Off again' : `On for ${which}${list}`}. Injected into ${injected} of ${counted(matched, 'request')}`;
}
