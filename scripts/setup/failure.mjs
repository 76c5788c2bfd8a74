/** Something the user can understand and mend: shown as its sentence, without a stack. */
export class Failure extends Error {
	/**
	 * @param {string} sentence what happened and what to do about it
	 * @param {{ details?: string }} [more] details: lines to show below the sentence
	 */
	constructor(sentence, { details } = {}) {
		super(sentence);
		this.name = 'Failure';
		this.details = details;
		// Where an error is shown by its stack, as jest does, the lines come along.
		if (details) this.stack = `${this.name}: ${sentence}\n${details}\n${this.stack.split('\n').slice(1).join('\n')}`;
	}
}

/**
 * Prints an error the way its reader needs it: a sentence for a failure that was foreseen, the stack for a bug.
 * @param {unknown} error
 */
export function printFailure(error) {
	if (error instanceof Failure) {
		if (error.details) console.error(`\n${error.details}`);
		console.error(`\n${error.message}`);
	} else {
		console.error(error);
	}
}
