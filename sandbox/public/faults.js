import { byId, formatCount, element, withClass, setText, formatValue } from './dom.js';
import { call, change, say } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */
/** @typedef {Snapshot['faultSwitches'][number]} FaultSwitch */
/** @typedef {{ fault: string, count?: number, [parameter: string]: unknown }} Rule */
/** @typedef {{ plan: { rules?: Rule[] }, counts: Snapshot['counts'] }} Status */

const scope = byId('fault-scope', HTMLSelectElement);
const frequency = byId('fault-frequency', HTMLSelectElement);

byId('expire-tokens').addEventListener('click', () =>
	change('All access tokens have expired.', 'POST', 'expire-tokens'),
);
byId('faults-off').addEventListener('click', () => change('All faults are off.', 'PUT', 'faults', []));

/** @param {Snapshot} snapshot */
export function renderFaults(snapshot) {
	const { faultSwitches } = snapshot;
	// created once, to keep the focus and the input
	if (byId('fault-groups').childElementCount === 0) {
		for (const group of new Set(faultSwitches.map((kind) => kind.group))) {
			const rows = faultSwitches.filter((kind) => kind.group === group).map(makeRow);
			byId('fault-groups').append(
				element('div', {}, element('h3', {}, group), element('ul', { role: 'list' }, ...rows)),
			);
		}
	}
	const on = faultSwitches.filter((kind) => renderRow(kind, snapshot)).length;
	setText('fault-count', on === 0 ? 'None active' : `${on} active`);
}

/** @param {FaultSwitch} kind */
function makeRow({ fault, title, does, pageInput, scoped }) {
	const toggle = element('input', {
		type: 'checkbox',
		role: 'switch',
		class: 'needs-sandbox',
		id: `switch-${fault}`,
		'aria-labelledby': `fault-${fault}`,
		'aria-describedby': `does-${fault} state-${fault}`,
	});
	const input =
		pageInput &&
		element('input', {
			type: 'number',
			class: 'needs-sandbox',
			id: `value-${fault}`,
			value: String(pageInput.value),
			min: '0',
			step: 'any',
		});
	const turnOn = async () => {
		if (input && !input.reportValidity()) return false;
		const which = scoped && {
			...(scope.value !== '' && { path: scope.value }),
			...(frequency.value === 'once' && { count: 1 }),
		};
		return await setFault(`${title} is on.`, fault, {
			...which,
			...(pageInput && { [pageInput.name]: input?.valueAsNumber }),
		});
	};
	toggle.addEventListener('change', async () => {
		const isDone = await (toggle.checked ? turnOn() : setFault(`${title} is off.`, fault));
		if (!isDone) toggle.checked = !toggle.checked;
	});
	input?.addEventListener('change', () => toggle.checked && turnOn());
	return withClass(
		'li',
		'fault-row',
		toggle,
		element('h4', { id: `fault-${fault}` }, title),
		input && withClass('label', 'detail', input, ` ${pageInput.label}`),
		element('p', { id: `does-${fault}`, class: 'detail' }, does),
		element('p', { id: `state-${fault}`, class: 'state' }),
	);
}

/** Shows the state of a fault. Returns whether it is on. @type {(kind: FaultSwitch, status: Status) => boolean} */
function renderRow({ fault, pageInput, scoped }, { plan: { rules = [] }, counts }) {
	const rulesOfFault = rules
		.map((/** @type {Rule} */ rule, index) => ({ rule, matched: 0, injected: 0, ...counts[index] }))
		.filter(({ rule }) => rule.fault === fault);
	const isOn = rulesOfFault.some(({ rule, injected }) => injected < (rule.count ?? Infinity));
	const input = byId(`value-${fault}`, HTMLInputElement);
	if (isOn && pageInput && document.activeElement !== input)
		input.value = String(rulesOfFault[0]?.rule[pageInput.name] ?? pageInput.value);
	byId(`switch-${fault}`, HTMLInputElement).checked = isOn;
	setText(`state-${fault}`, rulesOfFault.map((each) => describe(scoped, each)).join('; '));
	return isOn;
}

/** Describes a rule and its effect so far. @type {(scoped: boolean, counted: { rule: Rule } & Snapshot['counts'][number]) => string} */
function describe(scoped, { rule: { fault: _, count = Infinity, ...parameters }, matched, injected }) {
	const texts = Object.entries(parameters).map(([name, value]) => `${name} ${formatValue(value)}`);
	const list = texts.length > 0 ? ` (${texts.join(', ')})` : '';
	if (!scoped) return `On${list}`;
	const left = count - injected;
	const which = left === Infinity ? 'every request' : left === 1 ? 'the next request' : `the next ${left} requests`;
	return `${left <= 0 ? 'Off again' : `On for ${which}${list}`}. Injected into ${injected} of ${formatCount(matched, 'request')}`;
}

/** The latest change of the plan. Changes run one after another, as each reads the plan first. @type {Promise<unknown>} */
let changing = Promise.resolve();

/** Turns a fault on, with its parameters, or off. @type {(done: string, fault: string, parameters?: object) => Promise<boolean>} */
function setFault(done, fault, parameters) {
	const changed = changing.then(async () => {
		/** @type {{ reply?: Status, error?: string }} */
		const { reply, error } = await call('GET', 'faults');
		// setting a fault without knowing the plan would delete the other faults
		if (!reply) return (say(`Not done: ${error}`), false);
		const {
			plan: { rules = [], ...plan },
			counts,
		} = reply;
		const isLeft = (/** @type {Rule} */ { count = Infinity }, /** @type {number} */ index) =>
			(counts[index]?.injected ?? 0) < count;
		const others = rules.filter((rule, index) => rule.fault !== fault && isLeft(rule, index));
		// first in the plan, as the first rule that is drawn is injected
		return await change(done, 'PUT', 'faults', {
			...plan,
			rules: parameters ? [{ fault, ...parameters }, ...others] : others,
		});
	});
	changing = changed;
	return changed;
}
