import { byId, formatCount, element, renderList } from './dom.js';
import { change } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

const kind = byId('fault-kind', HTMLSelectElement);
const value = byId('fault-value', HTMLInputElement);
const frequency = byId('fault-frequency', HTMLSelectElement);
const scope = byId('fault-scope', HTMLSelectElement);

/** @type {Snapshot['faultKinds']} */
let kinds = [];
const chosen = () => kinds.find(({ fault }) => fault === kind.value);

/** Shows which faults there are, which are on, and their effect so far. @param {Snapshot} snapshot */
export function renderFaults({ faultKinds, rules, counts }) {
	if (kinds.length === 0) {
		kinds = faultKinds;
		kind.append(...kinds.map(({ fault, title }) => element('option', { value: fault }, title)));
		showKind();
	}
	const items = rules.map((rule, id) => ({ id, rule, ...counts[id] }));
	renderList(byId('fault-rows'), items, ({ rule, matched = 0, injected = 0 }) =>
		element(
			'li',
			{},
			element('code', {}, JSON.stringify(rule)),
			rule.fault !== 'tokenExpires' && ` injected into ${injected} of ${formatCount(matched, 'request')}`,
		),
	);
}

/** Shows what the chosen fault does, and the one number that it takes. */
function showKind() {
	const { description = '', pageInput } = chosen() ?? {};
	byId('fault-description').textContent = description;
	byId('fault-input').hidden = !pageInput;
	byId('fault-unit').textContent = pageInput?.label ?? '';
	value.value = String(pageInput?.value ?? 0);
}

kind.addEventListener('change', showKind);
byId('fault-form').addEventListener('submit', (event) => {
	event.preventDefault();
	const { fault, title, pageInput, hasScope } = /** @type {Snapshot['faultKinds'][number]} */ (chosen());
	const rule = {
		fault,
		...(pageInput && { [pageInput.name]: value.valueAsNumber }),
		...(hasScope && scope.value !== '' && { path: scope.value }),
		...(hasScope && frequency.value === 'once' && { count: 1 }),
	};
	void change(`${title} is on, instead of what was on before.`, 'PUT', 'faults', [rule]);
});
byId('faults-off').addEventListener('click', () => change('All faults are off.', 'PUT', 'faults', []));
