// One file for jest, so that one n8n serves them all: starting it takes longer than most examples.
import { testExamples } from '../support/n8n/inExamples.mts';
import * as agent from './examples/aiAgent.mts';
import * as once from './examples/createCustomersOnce.mts';
import * as form from './examples/customersFromForm.mts';
import * as fromList from './examples/customersFromList.mts';
import * as audit from './examples/gatewayAudit.mts';
import * as premium from './examples/premiumFromList.mts';
import * as list from './examples/readAList.mts';
import * as settle from './examples/settleOpenCustomers.mts';

// Those that are called first: n8n publishes no workflow that calls one which is not published.
testExamples({
	'Reading a list': list,
	'Premium from a list': premium,
	'Customers created once': once,
	'Customers from a list': fromList,
	'The nightly audit of gateways': audit,
	'Open customers': settle,
	'Customers from a form': form,
	'The AI agent': agent,
});
