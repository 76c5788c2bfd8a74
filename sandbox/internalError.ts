import { createSeed } from './seed';
import { withoutSecrets } from './live/withoutSecrets';

const LONGEST_MESSAGE = 300;

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
	const quoted = withoutSecrets(message.replace(/\s+/g, ' '), createSeed().clients).slice(0, LONGEST_MESSAGE);
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
