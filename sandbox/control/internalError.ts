import type { ServerResponse } from 'node:http';

import { withoutSecrets } from './redact';

const MAX_MESSAGE_LENGTH = 300;

/** What was logged before: an error that comes with each request must not fill the terminal. */
const logged = new Set<string>();

/**
 * Logs an internal error of the sandbox on stderr, in one line, and only the first one from each place in the code.
 * @param during what was being done, such as "a request of the API"
 */
export function logInternalError(during: string, error: unknown): void {
	const { name = 'Error', message = String(error), stack = '' } = Object(error) as Partial<Error>;
	const [place = 'at an unknown place'] = /(?<=\n\s*)at .*/.exec(stack) ?? [];
	const kind = `${during} ${name} ${place}`;
	if (logged.has(kind)) return;
	logged.add(kind);
	// the message may quote what a client has sent
	const quoted = withoutSecrets(message.replace(/\s+/g, ' ')).slice(0, MAX_MESSAGE_LENGTH);
	console.error(`Internal error of the sandbox during ${during}: ${name}: ${quoted} (${place})`);
}

/** The function with its errors logged: for timers and listeners, where an error that is thrown ends the process. */
export function guarded(during: string, work: () => void): () => void {
	return () => {
		try {
			work();
		} catch (error) {
			logInternalError(during, error);
		}
	};
}

/**
 * Calls back once when a response has ended, or its client has left: a response that waits behind another one in its
 * connection does not emit `close` then.
 */
export function onEnd(response: ServerResponse, done: () => void): void {
	const { socket } = response.req;
	let ended = false;
	const end = () => {
		// a listener that is taken away while the event is emitted is called all the same
		if (ended) return;
		ended = true;
		socket.off('close', end);
		response.off('close', end);
		done();
	};
	// as many as there are requests in the connection
	socket.setMaxListeners(0).on('close', end);
	response.on('close', end);
}
