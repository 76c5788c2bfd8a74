// One file for jest, so that one n8n serves them all: starting it takes longer than most examples.
import { inExamples } from '../support/n8n/inExamples.mts';
import * as agent from './examples/aiAgent.mts';
import * as once from './examples/createCustomersOnce.mts';
import * as form from './examples/customersFromForm.mts';
import * as fromList from './examples/customersFromList.mts';
import * as audit from './examples/gatewayAudit.mts';
import * as premium from './examples/premiumFromList.mts';
import * as list from './examples/readAList.mts';
import * as settle from './examples/settleOpenCustomers.mts';

const examples = [list, premium, fromList, audit, once, settle, form, agent];
// Those that are called first: n8n publishes no workflow that calls one which is not published.
const published = [list.ID, list.CALLER, ...once.IDS, ...fromList.IDS, premium.CHARGED, ...settle.IDS, ...form.IDS];
const fixture = inExamples(examples.map(({ prepare }) => prepare), published);

describe('Reading a list', () => list.tests(fixture));
describe('Premium from a list', () => premium.tests(fixture));
describe('Customers from a list', () => fromList.tests(fixture));
describe('The nightly audit of gateways', () => audit.tests(fixture));
describe('Customers created once', () => once.tests(fixture));
describe('Open customers', () => settle.tests(fixture));
describe('Customers from a form', () => form.tests(fixture));
describe('The AI agent', () => agent.tests(fixture));
