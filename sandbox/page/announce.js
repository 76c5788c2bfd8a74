import { byId, counted } from './element.js';

/** News are gathered for so long: read out one by one, a run of 100 requests would go on for minutes. */
const GATHER_MS = 4000;
/** The first of them are read out after this time. */
const FIRST_MS = 800;

const gathered = { requests: 0, errors: 0, customers: 0, trunks: new Set() };
let timer;
let spokeAt = -GATHER_MS;

/** Adds to what screen readers are told next. */
export function announce({ requests = 0, errors = 0, customers = 0, trunks = [] }) {
	gathered.requests += requests;
	gathered.errors += errors;
	gathered.customers += customers;
	for (const id of trunks) gathered.trunks.add(id);
	timer ??= setTimeout(speak, Math.max(FIRST_MS, GATHER_MS - (performance.now() - spokeAt)));
}

function speak() {
	timer = undefined;
	spokeAt = performance.now();
	const { requests, errors, customers, trunks } = gathered;
	const sentences = [
		requests > 0 && `${counted(requests, 'new request')}${errors > 0 ? `, ${errors} without success` : ''}.`,
		customers > 0 && `${counted(customers, 'new customer')}.`,
		trunks.size > 0 && `Premium countries changed on ${trunks.size === 1 ? 'trunk' : 'trunks'} ${[...trunks].join(', ')}.`,
	];
	byId('news').textContent = sentences.filter(Boolean).join(' ');
	gathered.requests = gathered.errors = gathered.customers = 0;
	gathered.trunks.clear();
}

/** For so long it covers the lower edge of the page. */
const SAID_MS = 12_000;
let goneTimer;

/** Says, to eyes and ears, what came of something that was asked for. */
export function say(text) {
	const line = byId('said');
	line.textContent = text;
	clearTimeout(goneTimer);
	goneTimer = setTimeout(() => line.replaceChildren(), SAID_MS);
}
