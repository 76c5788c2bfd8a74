// Runs beside the command that started it and knows the process groups of its children. When the command
// dies without a chance to clean up (kill -9, an out-of-memory kill), the pipe to it closes: end its children.
import { createInterface } from 'node:readline';

const groups = new Set();
const GRACE_MS = 3000;

function signalAll(signal) {
	for (const group of groups) {
		try {
			process.kill(-group, signal);
		} catch {
			groups.delete(group);
		}
	}
}

// The terminal's Ctrl-C is for the command, which then closes the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

createInterface({ input: process.stdin })
	.on('line', (line) => {
		const group = Number(line.slice(1));
		if (line.startsWith('+')) groups.add(group);
		else groups.delete(group);
	})
	.on('close', () => {
		signalAll('SIGTERM');
		if (groups.size > 0) setTimeout(() => signalAll('SIGKILL'), GRACE_MS);
	});
