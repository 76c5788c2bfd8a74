import { ApiError } from './apiError';
import { FaultPlanError, parseFaultPlan } from './faults/parsePlan';
import { parseGateway } from './parseGateway';
import { parseBody } from './requestBody';
import type { Reply } from './reply';
import type { SandboxControls } from './sandbox';

/** Everything below this path steers the sandbox and is not part of the API. */
export const CONTROL_PREFIX = '/_sandbox/';

type ControlPath = (controls: SandboxControls, body: Buffer) => Reply;

const paths: Record<string, ControlPath> = {
	'GET /_sandbox/': () => ({ status: 200, body: { paths: Object.keys(paths) } }),
	'GET /_sandbox/health': () => ({ status: 200, body: { status: 'ok' } }),
	'GET /_sandbox/state': (controls) => ({ status: 200, body: controls.state() }),
	'GET /_sandbox/requests': (controls) => ({ status: 200, body: controls.requests() }),
	'POST /_sandbox/reset': (controls) => {
		controls.reset();
		return { status: 204 };
	},
	'POST /_sandbox/expire-tokens': (controls) => {
		controls.expireTokens();
		return { status: 204 };
	},
	'GET /_sandbox/faults': (controls) => ({ status: 200, body: controls.faults() }),
	'PUT /_sandbox/faults': (controls, body) => {
		controls.setFaults(parseFaultPlan(parseJson(body)));
		return { status: 200, body: controls.faults() };
	},
	'PUT /_sandbox/gateways': (controls, body) => {
		controls.putGateway(parseGateway(parseJson(body)));
		return { status: 204 };
	},
	'DELETE /_sandbox/gateways': (controls, body) => {
		controls.removeGateway(parseGateway(parseJson(body)).id);
		return { status: 204 };
	},
};

/** Whatever the Content-Type: `curl -d` sends that of a form. */
const parseJson = (body: Buffer) => parseBody(body, 'application/json', ['application/json']);

/** Answers a control path. Never throws: what is wrong is said in the reply, as `{ "error": … }`. */
export function answerControl(controls: SandboxControls, method: string, path: string, body: Buffer): Reply {
	const answer = paths[`${method} ${path}`];
	if (!answer) return { status: 404, body: { error: `There is no control path ${method} ${path}`, paths: Object.keys(paths) } };
	try {
		return answer(controls, body);
	} catch (error) {
		if (error instanceof FaultPlanError) return { status: 400, body: { error: `The faults are not valid: ${error.message}` } };
		if (error instanceof ApiError) return { status: error.statusCode, body: { error: error.message, details: error.details } };
		throw error;
	}
}
