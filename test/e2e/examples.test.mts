// One file for jest, so that one n8n serves them all: starting it takes longer than most examples.
import { inExamples } from '../support/n8n/inExamples.mts';
import * as agent from './examples/aiAgent.mts';
import * as onboarding from './examples/customerOnboarding.mts';
import * as exactlyOnce from './examples/customerOnboardingExactlyOnce.mts';
import * as audit from './examples/gatewayAudit.mts';
import * as premium from './examples/premiumFromSpreadsheet.mts';

const examples = [premium, audit, onboarding, exactlyOnce, agent];
const fixture = inExamples(examples.map(({ prepare }) => prepare), [premium.CHARGED, ...onboarding.IDS, exactlyOnce.ID]);

describe('Premium from a spreadsheet', () => premium.tests(fixture));
describe('The nightly audit of gateways', () => audit.tests(fixture));
describe('The onboarding of a customer', () => onboarding.tests(fixture));
describe('The onboarding of each customer exactly once', () => exactlyOnce.tests(fixture));
describe('The AI agent', () => agent.tests(fixture));
