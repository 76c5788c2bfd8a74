import type { Results } from '../results.mts';
import { boundTable, criteriaTable, installedTable, machineTable, paragraphs, profileSections, scenarioTables, section, timesTable } from './tables.mts';

/**
 * The whole report.
 * @param plots Markdown of each plot that was drawn
 * @param quick whether it is of --quick
 */
export function document(all: Results[], plots: Record<string, string>, quick: boolean): string {
	const tables = (id: string, text?: string) => scenarioTables(all, id, text);
	const notMet = profileSections(all);
	const timesFloor = timesTable(all, 'times as long as n8n’s floor', ['voiceAdmin', 'httpRequest', 'plain'], 'floor');
	const timesNodeHttp = timesTable(all, 'times as long as Node’s http', ['voiceAdmin', 'floor'], 'nodeHttp-200');
	const bound = boundTable(all);
	return `${paragraphs(
		'# Benchmarks',
		'<!-- Written by npm run bench -- --report. Changes by hand are lost. -->',
		quick && '**From `--quick`: one round, a tenth of the items. Nothing here is a result.**',
		'What a user would take instead of this node: n8n’s HTTP Request node with the same credential, and a plain declarative node, written as n8n’s starter and documentation would have it ([bench/contenders.mts](../bench/contenders.mts)). All three, and n8n’s floor, the least that a node can do, run in a real n8n, side by side and in turn, against the same service on the same machine. Ratios are taken within a round; a figure is the median of the rounds, with the lowest and the highest in brackets.',
		plots.throughput,
		section('## Acceptance criteria', criteriaTable(all), notMet && 'The criteria that are not met are looked into [below](#criteria-not-met), or beside their tables.'),
		section(
			'## Many items, one operation',
			tables('get-cold', 'The credential has no token stored: who does not share a login logs in for each item.'),
			tables('get-warm', 'The credential has been used before: the plain node finds a token stored in it, the others log in once.'),
			tables('set-premium'),
			tables('add-customer'),
			tables('loop', 'n8n’s Loop Over Items node hands the node 50 items at a time. The time is that of the whole loop, n8n’s own work between the batches included.'),
		),
		timesFloor && section(
			'## Compared with n8n’s floor',
			'What a node can reach at best: a programmatic one that calls n8n’s own `httpRequest` for each item, with 100 in flight, and does nothing else ([its code](../bench/n8n-nodes-bench-harness/nodes/Floor.node.js)). It has no credential, no expressions and no retries, so that nobody would take it. What is above 1 is what a node itself adds:',
			timesFloor,
			timesNodeHttp && 'As a note, Node’s http alone with 200 in flight. It keeps its connections; n8n makes a new agent and a new connection for each request, for every node alike, so that no node can come near it:',
			timesNodeHttp,
		),
		section('## More items, slower replies', plots.items, plots.memory, plots.latency, ...['items-100', 'items-10000', 'items-50000', 'latency-5', 'latency-300', 'latency-500'].map((id) => tables(id))),
		section(
			'## Requests in flight',
			plots['in-flight'],
			tables('in-flight'),
			tables('latency-1500'),
			bound && 'The other nodes send all that they have, however much is on its way already. With *Max Concurrency* at its default of 200 this node does not, and where replies are slow that costs time:',
			bound,
		),
		section('## In bulk', tables('bulk')),
		section(
			'## A service with a rate limit',
			plots.limiter,
			tables('limiter', 'A token bucket of 100, which is full at the start and gets 100 a second; above that the service answers 429 with `Retry-After`. All nodes are set to *On Error → Continue*, so that what is lost can be counted.'),
			tables('limiter-batch-settings', 'The HTTP Request node’s batching, tuned by hand by someone who knows the limit. The fastest that loses nothing stands beside this node above.'),
		),
		section(
			'## Concurrent executions',
			tables(
				'crowd',
				'One n8n server, all of its webhooks called at the same moment, behind the limit above: *5 × 400* are 5 executions of 400 items. All executions with one API key share one limiter, so that together they are as careful as one. The HTTP Request node knows nothing of the other executions: a batching that suits one execution can be too much for several. The ideal is what the service’s limit alone would take; where each execution has one item, n8n itself takes longer than that to begin and end them. *Calls failed* are those that n8n answered with an error of its own, as when its SQLite does not keep up with so many executions; their items count as lost, whichever the node: it hits the one that comes first in a new n8n (in the opposite order, on n8n 2.41.1, the HTTP Request node lost 65 of 1,000, and this one none).',
			),
			tables('crowd-postgres', 'The same with the database that n8n advises where there are many executions, and with n8n’s default of two connections to it. On n8n 2.41.1 most executions then wait for a connection until n8n gives them up (*timeout exceeded when trying to connect*), whichever the node.'),
			tables('crowd-unlimited', 'How long it takes without any limit.'),
			tables('beside-bulk', 'What somebody waits for who needs one item while two large executions with the same API key are under way: the time of the webhook call, one every 300 ms, the first at the same moment as the large ones. The executions get permits in turn, so that a single item does not wait for thousands of others.'),
			tables('workers', 'Workers are processes of their own and share no limiter: each learns from the service’s answers alone how much is left to it.'),
		),
		section(
			'## What else n8n does meanwhile',
			tables(
				'health-check',
				'n8n runs all executions of a process, its editor and its webhooks on one thread: while a node computes, everybody else waits. Here somebody asks for n8n’s `/healthz` every 20 ms, on connections that are open already and without waiting for the answer before, while a webhook has one execution run. The items are made and counted inside n8n. *No node* is the same workflow with n8n’s No Operation node instead, and so what n8n itself takes; *No execution* are ten seconds in which n8n runs nothing.',
			),
		),
		section('## The cost of being installed', installedTable(all)),
		section('## Criteria not met', notMet),
		section('## The machine', machineTable(all)),
		`## How to repeat it

\`\`\`bash
npm run bench -- --n8n 2.8.4
npm run bench -- --n8n 2.41.1
npm run bench -- --only items-50000
npm run bench -- --only limiter-batch-settings
npm run bench -- --only crowd-postgres
npm run bench -- --only workers
npm run bench -- --report
\`\`\`

The machine should have nothing else to do. \`npm run bench -- --quick\` is a look at everything in a few minutes, and \`--help\` lists the rest.

- **Node time** is what n8n notes for the node (\`executionTime\`). Neither n8n's start nor the making of the items is in it.
- **Each run is an n8n process of its own** (\`n8n execute\`), as a run by cron or by command is, and so that its peak memory is that of one run. The processes of a round start up side by side, and then go one after the other, each when the one before has ended; a process that waits does nothing. A long-running server's just-in-time compiler has had more practice: there all nodes are faster.
- **Concurrent executions** run in one n8n server instead, which has run a few before; the time goes from the first webhook call to the end of the last reply. Each run has an API key of its own, as the node remembers for a minute what it has learned of one.
- **Cold** means a credential that has never been used, one for each run; **warm** one that has been used before: of the plain node's, n8n has stored a valid token then. The token of this package's credential is never stored, so this node and the HTTP Request node log in once in every run.
- **The service** is Node's http in a process of its own, which takes a set time for each reply, checks the token and counts ([bench/processes/service.mts](../bench/processes/service.mts)). The sandbox of this project, which checks every request against the API's description, would cost more than what is measured.
- **n8n’s floor** has no credential: it is handed a token that the service takes. It runs where the credential is warm, and not where replies take 300 ms or more, as there its 100 in flight would set the time instead of n8n’s own work.
- **Node's http** alone is a process that does nothing else, keeps its connections, and has its token before the clock starts ([bench/processes/nodeHttp.mjs](../bench/processes/nodeHttp.mjs)).
- **Peak memory** is that of the whole n8n process up to the end of the node, as the system has it; printing the result is not in it. **Processor** is the process's time on a core while the node ran.
- **Requests failed** are those without a good reply, whether or not they were sent again. **Wasted** are all, logins included, that did no item's work; of concurrent executions, all that were answered 429.`,
	)}\n`;
}
