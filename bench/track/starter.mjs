import http from 'node:http';

/**
 * Lets processes go one at a time. They start up side by side, which saves most of the time that n8n takes for
 * it; each then waits on its starting line, with nothing to do, until the ones before it have finished.
 * @returns {Promise<{ url: (run: string) => string, arrived: (run: string) => Promise<void>, go: (run: string) => void, close: () => void }>}
 *   arrived: settled when the run is on its starting line
 */
export async function openTrack() {
	/** @type {Map<string, { arrived: PromiseWithResolvers<void>, reply?: http.ServerResponse }>} */
	const lanes = new Map();
	const laneOf = (run) => {
		if (!lanes.has(run)) lanes.set(run, { arrived: withResolvers() });
		return lanes.get(run);
	};
	const server = http.createServer((request, reply) => {
		const lane = laneOf(decodeURIComponent(request.url.slice(1)));
		lane.reply = reply;
		lane.arrived.resolve();
	});
	await new Promise((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		url: (run) => `http://127.0.0.1:${server.address().port}/${encodeURIComponent(run)}`,
		arrived: (run) => laneOf(run).arrived.promise,
		go: (run) => laneOf(run).reply.end(),
		close: () => server.close(),
	};
}

// Promise.withResolvers came with Node 22.
function withResolvers() {
	let resolve;
	const promise = new Promise((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}
