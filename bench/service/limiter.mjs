/**
 * A token bucket, as the sandbox has it: holds a second's worth of requests, and refills evenly.
 * @param {number} perSecond requests that pass each second; 0 for no limit
 * @returns {() => number} lets a request pass and gives 0, or gives the seconds after which one may pass
 */
export function limiter(perSecond) {
	if (perSecond === 0) return () => 0;
	let left = perSecond;
	let refilledAt = performance.now();
	return () => {
		const now = performance.now();
		left = Math.min(perSecond, left + ((now - refilledAt) / 1000) * perSecond);
		refilledAt = now;
		if (left < 1) return (1 - left) / perSecond;
		left -= 1;
		return 0;
	};
}
