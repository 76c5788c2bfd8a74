import { getById, formatCount, create, renderList } from './dom.js';
import { callAndReport } from './sandbox.js';
/** @import { Snapshot } from './dom.js' */

const kindSelect = getById('fault-kind', HTMLSelectElement);
const valueInput = getById('fault-value', HTMLInputElement);
const frequencySelect = getById('fault-frequency', HTMLSelectElement);
const scopeSelect = getById('fault-scope', HTMLSelectElement);

/** @type {Snapshot['faultKinds']} */
let kinds = [];
const getSelectedKind = () => kinds.find(({ fault }) => fault === kindSelect.value);

/** Shows which faults there are, which are on, and their effect so far. @param {Snapshot} snapshot */
export function renderFaults({ faultKinds, rules, counts }) {
	if (kinds.length === 0) {
		kinds = faultKinds;
		kindSelect.append(...kinds.map(({ fault, title }) => create('option', { value: fault }, title)));
		showKind();
	}
	const items = rules.map((rule, id) => ({ id, rule, ...counts[id] }));
	renderList(getById('fault-rows'), items, ({ rule, matchCount = 0, injectionCount = 0 }) =>
		create(
			'li',
			{},
			create('code', {}, JSON.stringify(rule)),
			rule.fault !== 'tokenExpires' && ` injected into ${injectionCount} of ${formatCount(matchCount, 'request')}`,
		),
	);
}

/** Shows what the chosen fault does, and the one number that it takes. */
function showKind() {
	const { description = '', pageInput } = getSelectedKind() ?? {};
	getById('fault-description').textContent = description;
	getById('fault-input').hidden = !pageInput;
	getById('fault-unit').textContent = pageInput?.label ?? '';
	valueInput.value = String(pageInput?.value ?? 0);
}

kindSelect.addEventListener('change', showKind);
getById('fault-form').addEventListener('submit', (event) => {
	event.preventDefault();
	const { fault, title, pageInput, hasScope } = /** @type {Snapshot['faultKinds'][number]} */ (getSelectedKind());
	const rule = {
		fault,
		...(pageInput && { [pageInput.name]: valueInput.valueAsNumber }),
		...(hasScope && scopeSelect.value !== '' && { path: scopeSelect.value }),
		...(hasScope && frequencySelect.value === 'once' && { count: 1 }),
	};
	void callAndReport(`${title} is on, instead of what was on before.`, 'PUT', 'faults', [rule]);
});
getById('faults-off').addEventListener('click', () => callAndReport('All faults are off.', 'PUT', 'faults', []));
