import { requireChromium } from './chromium.mjs';
import { requireServers } from './servers.mjs';

/**
 * What is tested end to end, in a real n8n unless it needs none: the folder of its tests in `test/`, and what the machine must have for it,
 * which is asked before anything is installed.
 * @type {Record<string, { script: string, what: string, withoutN8n?: true, requires?: () => void | Promise<void> }>}
 */
export const SUITES = {
	e2e: { script: 'e2e', what: "runs workflows through n8n's executor" },
	browser: { script: 'e2e:browser', what: "works in n8n's editor with Chromium, as a person does", requires: requireChromium },
	page: { script: 'e2e:page', what: "works on the sandbox's page with Chromium, as a person does", withoutN8n: true, requires: requireChromium },
	queue: { script: 'e2e:queue', what: "runs n8n's queue mode: a main, two workers, Redis and PostgreSQL", requires: requireServers },
};
