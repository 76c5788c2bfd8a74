import { say } from './announce.js';
import { ask } from './connection.js';
import { byId, counted, element } from './element.js';

/** What is on the page for each fault, by its name. */
const shown = new Map();
let plan = {};

/**
 * Makes the switches, once: what happens later only sets them, so that the keyboard's focus stays where it is.
 * @param {Array<{ title: string, faults: object[] }>} groups as sandbox/faults/schema.ts has them
 */
export function makeFaultSwitches(groups) {
	byId('fault-groups').replaceChildren(
		...groups.map(({ title, faults }) => element('div', { class: 'fault-group' }, element('h3', {}, title), element('ul', { class: 'switches', role: 'list' }, ...faults.map(faultSwitch)))),
	);
	byId('expire-tokens').addEventListener('click', () => attempt(() => ask('POST', 'expire-tokens'), 'All access tokens have expired.'));
	byId('faults-off').addEventListener('click', () => attempt(() => ask('PUT', 'faults', []), 'All faults are off.'));
}

function faultSwitch(kind) {
	const { fault, title, does, needs } = kind;
	const button = element('button', { type: 'button', role: 'switch', class: 'switch needs-sandbox', 'aria-checked': 'false', 'aria-labelledby': `fault-${fault}`, 'aria-describedby': `does-${fault} state-${fault}` }, element('span', { class: 'knob', 'aria-hidden': 'true' }));
	const input = needs && element('input', { type: 'number', id: `value-${fault}`, value: String(needs.value), min: String(needs.least), max: String(needs.most), step: needs.step ?? '1' });
	const state = element('p', { id: `state-${fault}`, class: 'state' }, 'Off');
	button.addEventListener('click', () => toggle(kind, button, input));
	input?.addEventListener('change', () => {
		if (button.getAttribute('aria-checked') === 'true') void switchOn(kind, input);
	});
	shown.set(fault, { button, state, input, needs });
	return element('li', { class: 'fault-row' },
		button,
		element('div', {},
			element('h4', { id: `fault-${fault}` }, title),
			element('p', { id: `does-${fault}`, class: 'detail' }, does),
			input && element('label', { class: 'needs needs-sandbox' }, input, ` ${needs.label}`),
			state),
	);
}

async function toggle(kind, button, input) {
	if (button.getAttribute('aria-checked') === 'true') await attempt(() => ask('DELETE', `faults/${kind.fault}`), `${kind.title} is off.`);
	else await switchOn(kind, input);
}

async function switchOn({ fault, title, needs, fixed, scoped }, input) {
	if (input && !input.reportValidity()) return;
	const path = byId('fault-scope').value;
	const once = byId('fault-often').value === 'one';
	const parameters = {
		...(scoped && path !== '' && { path }),
		...(scoped && once && { count: 1 }),
		...(needs && { [needs.name]: input.valueAsNumber }),
		...fixed,
	};
	await attempt(() => ask('PUT', `faults/${fault}`, parameters), `${title} is on ${scoped ? (once ? 'for the next request' : 'for every request') : 'for all'}.`);
}

async function attempt(work, done) {
	try {
		await work();
		say(done);
	} catch (error) {
		say(error.message);
	}
}

/** Takes a new plan; {@link showFaultCounts} shows it. */
export function showPlan(given) {
	plan = given;
}

/** Sets the switches to the plan and what came of it. @param {Array<{ matched: number, struck: number }>} counts one for each rule */
export function showFaultCounts(counts) {
	const rules = (plan.rules ?? []).map((rule, index) => ({ rule, ...counts[index] }));
	let on = 0;
	for (const [fault, { button, state, input, needs }] of shown) {
		const own = rules.filter(({ rule }) => rule.fault === fault);
		const words = fault === 'rateLimit' ? limitInWords(plan.rateLimit) : own.map(inWords);
		const isOn = fault === 'rateLimit' ? plan.rateLimit !== undefined : own.some((active) => !isUsedUp(active));
		if (isOn) on += 1;
		set(button, isOn);
		const inForce = fault === 'rateLimit' ? plan.rateLimit : own[0]?.rule;
		if (isOn && input && document.activeElement !== input) input.value = String(inForce[needs.name] ?? needs.value);
		const text = words.join('; ') || 'Off';
		if (state.textContent !== text) state.textContent = text;
		state.dataset.on = String(isOn);
		button.closest('li').classList.toggle('on', isOn);
	}
	const text = on === 0 ? 'None is on' : `${counted(on, 'fault')} on`;
	if (byId('fault-count').textContent !== text) byId('fault-count').textContent = text;
}

function set(button, isOn) {
	if (button.getAttribute('aria-checked') !== String(isOn)) button.setAttribute('aria-checked', String(isOn));
}

function isUsedUp({ rule, struck }) {
	return rule.count !== undefined && struck >= rule.count;
}

function limitInWords(limit) {
	if (!limit) return [];
	return [`On: ${limit.perSecond} requests a second${limit.burst === undefined ? '' : `, ${limit.burst} at once`}`];
}

/** A rule, and what came of it, as a sentence without its end. */
function inWords({ rule, matched, struck }) {
	const { fault, rate, path, method, bodyContains, count, after, ...own } = rule;
	if (fault === 'tokenExpires') return `On: each access token is good for ${counted(rule.afterRequests, 'request')}`;
	const left = count === undefined ? undefined : count - struck;
	const which = [
		left === undefined ? 'every request' : left === 1 ? 'the next request' : `the next ${left} requests`,
		method !== undefined && `with ${method.toUpperCase()}`,
		path !== undefined && `at ${path}`,
		bodyContains !== undefined && 'with a certain text in its body',
		rate !== undefined && rate < 1 && `at a rate of ${rate * 100} %`,
		after > 0 && `after the first ${after}`,
	];
	const with_ = Object.entries(own).map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
	const came = `has struck ${struck} of ${counted(matched, 'request')}`;
	if (left !== undefined && left <= 0) return `Off again: ${came}`;
	return `On for ${which.filter(Boolean).join(' ')}${with_.length > 0 ? ` (${with_.join(', ')})` : ''}; ${came}`;
}

/** Says what was set for good when the sandbox was started. */
export function showSettings({ latencyMs, tokenTtlSeconds }) {
	const sentences = [
		latencyMs > 0 && `Every reply waits ${latencyMs} ms (--latency).`,
		tokenTtlSeconds !== 3600 && `An access token lasts ${counted(tokenTtlSeconds, 'second')} (--token-ttl).`,
	].filter(Boolean);
	byId('settings').hidden = sentences.length === 0;
	byId('settings').textContent = sentences.length === 0 ? '' : `Set when the sandbox was started: ${sentences.join(' ')}`;
}
