/**
 * Sets the node's clock ahead by milliseconds, as often as it is called, until the test ends. What the node remembers of a key is
 * in that time too: use a key of the test's own.
 */
export function aheadClock(): (ms: number) => void {
	const now = performance.now.bind(performance);
	let ahead = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
	return (ms) => (ahead += ms);
}
