import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import type { Result } from './execute';

/** The error of an item, in its output. */
interface ItemError {
	message: string;
	code: string;
	outcome: 'not_sent' | 'not_done' | 'unknown';
}

/** What a run says of its items. */
export interface Report {
	done: number;
	/** Items whose outcome is unknown. */
	unknown: number;
	/** Items that certainly were not done. */
	failed: number;
	/** What they say, each once. */
	messages: string[];
	errors: ItemError[];
}

const errorOf = (json: IDataObject) => json.error as unknown as ItemError | undefined;

/** Of a run with On Error: Continue. */
export function reportOf({ output, errors: errorOutput }: Pick<Result, 'output' | 'errors'>): Report {
	const errors = [...output, ...errorOutput].flatMap(({ json }) => errorOf(json) ?? []);
	const unknown = errors.filter(({ outcome }) => outcome === 'unknown').length;
	return {
		done: output.filter(({ json }) => !errorOf(json)).length,
		unknown,
		failed: errors.length - unknown,
		messages: [...new Set(errors.map(({ message }) => message))],
		errors,
	};
}

/**
 * Asserts that no customer was created twice, and that the run tells the truth: what it says to be done is stored, and what it
 * says not to be done is not. The VAT number of item n is `C` and n.
 */
export function expectTrueReport({ output, errors }: Pick<Result, 'output' | 'errors'>, sandbox: Sandbox): void {
	const stored = sandbox.getRecordsAndCounters().customers.map(({ vatNumber }) => vatNumber);
	const isStored = new Set(stored);
	const untrue = [...output, ...errors].flatMap(({ json, pairedItem }) => {
		const error = errorOf(json);
		const customer = `C${(pairedItem as { item: number }).item}`;
		const isTrue = error?.outcome === 'unknown' || isStored.has(customer) === !error;
		return isTrue ? [] : [`${customer}: ${error?.outcome ?? 'done'}`];
	});
	expect({ twice: stored.filter((one, index) => stored.indexOf(one) !== index), untrue }).toEqual({
		twice: [],
		untrue: [],
	});
}
