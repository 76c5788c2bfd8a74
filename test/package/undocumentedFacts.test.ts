import { FILES, textOf } from './documents';

/** All that users read: documents, notes and pages of the examples, labels and messages of the node, the sandbox's page. */
const READ = FILES.filter((file) =>
	/\.md$|^(nodes|credentials|examples|scripts\/docs|sandbox\/public)\/.*\.(ts|js|json|html)$|^sandbox\/openapi\.yaml$/.test(file));

/** What the API's documentation does not show, said as if it did: say "the documented API has no …" or "may be …". */
const UNDOCUMENTED_FACTS = [
	/(?<!documented )\bAPI (can't|cannot|has no|has none|offers no)\b/,
	/\b(can't|cannot) be (changed or )?(deleted|undone)\b(?! with the documented API)/,
	/\bthere is no undo\b|\bpermanent customer/,
	/\b(?<!may be )billed\b|\btraffic costs money\b|\bcosts nothing\b/,
	/\bcreates (every|the|all|two)? ?customers? (again|twice)\b|\bcreates two customers\b/,
	/\bthe service limits how\b|\bthe API key was not checked\b/,
	/\bl'API non (può|permette|ha|offre)\b|\bpremium è a pagamento\b/,
].map((fact) => new RegExp(fact, 'gi'));

/** Each with a few words around it; text that goes on in another line, or in another line of a comment, is one. */
function undocumentedFacts(text: string): string[] {
	const line = text.replace(/\s+(\*\s+)?/g, ' ');
	const matches = UNDOCUMENTED_FACTS.flatMap((fact) => [...line.matchAll(fact)]);
	return matches.map(({ index, 0: { length } }) => line.slice(Math.max(0, index - 30), index + length + 30));
}

test.each(READ)('%s says of the service only what its documentation shows', (file) => {
	expect(undocumentedFacts(textOf(file))).toEqual([]);
});

test('what users read is read here', () => {
	const some = ['README.md', 'docs/it/README.md', 'docs/operations.md', 'nodes/VoiceAdmin/operations/customer/add.ts',
		'credentials/VoiceAdminApi.credentials.ts', 'examples/tour.json', 'sandbox/openapi.yaml', 'sandbox/public/index.html'];
	expect(READ).toEqual(expect.arrayContaining(some));
});

test.each([
	"A customer can't be deleted.", '**A customer cannot be changed or\ndeleted**', 'Each item creates a permanent customer record',
	'There is no undo', 'The API has no webhooks', "The API can't list or search", "/** This API\n\t * can't change it. */",
	'Premium traffic is billed', 'Premium traffic costs money', 'It only reads, and costs nothing.', 'This creates the customer again',
	'A second run creates customers again', "L'API non permette di eliminarlo", 'Il traffico premium è a pagamento',
])('%j is noticed', (text) => expect(undocumentedFacts(text)).toHaveLength(1));
