'use strict';

const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');

/** Microseconds between two samples. */
const INTERVAL = 500;

/** Begins a CPU profile of this process, in the form that Chrome's developer tools open. */
async function startProfile() {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
	await session.post('Profiler.start');
	return {
		/** @param {string} file */
		async writeTo(file) {
			const { profile } = await session.post('Profiler.stop');
			session.disconnect();
			writeFileSync(file, JSON.stringify(profile));
		},
	};
}

module.exports = { startProfile };
