import { ApiError } from './apiError';
import { FaultPlanError, parseFaultPlan } from './faults/parsePlan';
import { MOST_WATCHERS } from './live/events';
import { parseGateway } from './parseGateway';
import { parseBody } from './requestBody';
import type { Reply } from './reply';
import type { SandboxControls } from './sandbox';

/** Everything below this path steers the sandbox and is not part of the API. */
export const CONTROL_PREFIX = '/_sandbox/';

type ControlPath = (controls: SandboxControls, body: Buffer, fault: string) => Reply;

/** Answered by a stream, not by a reply. */
export const EVENTS_PATH = '/_sandbox/events';

const paths: Record<string, ControlPath> = {
	'GET /_sandbox/': () => ({ status: 200, body: { paths: Object.keys(paths) } }),
	'GET /_sandbox/health': () => ({ status: 200, body: { status: 'ok' } }),
	'GET /_sandbox/state': (controls) => ({ status: 200, body: controls.state() }),
	'GET /_sandbox/requests': (controls) => ({ status: 200, body: controls.requests() }),
	// who gets here was refused the stream
	[`GET ${EVENTS_PATH}`]: () => ({ status: 503, body: { error: `There are ${MOST_WATCHERS} listeners to the events already; close one` } }),
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
		controls.setFaults(parseFaultPlan(jsonIn(body)));
		return { status: 200, body: controls.faults() };
	},
	'PUT /_sandbox/faults/{fault}': (controls, body, fault) => {
		controls.switchFault(fault, (jsonIn(body) as object | null | undefined) ?? {});
		return { status: 200, body: controls.faults() };
	},
	'DELETE /_sandbox/faults/{fault}': (controls, _body, fault) => {
		controls.switchFault(fault, undefined);
		return { status: 200, body: controls.faults() };
	},
	'PUT /_sandbox/gateways': (controls, body) => {
		controls.putGateway(parseGateway(jsonIn(body)));
		return { status: 204 };
	},
	'DELETE /_sandbox/gateways': (controls, body) => {
		controls.removeGateway(parseGateway(jsonIn(body)).id);
		return { status: 204 };
	},
};

/** Answers a control path. Never throws: what is wrong is said in the reply, as `{ "error": … }`. */
export function answerControl(controls: SandboxControls, method: string, path: string, body: Buffer): Reply {
	const [, fault = ''] = /^\/_sandbox\/faults\/([^/]+)$/.exec(path) ?? [];
	const answer = paths[`${method} ${fault === '' ? path : '/_sandbox/faults/{fault}'}`];
	if (!answer) return { status: 404, body: { error: `There is no control path ${method} ${path}`, paths: Object.keys(paths) } };
	try {
		return answer(controls, body, fault);
	} catch (error) {
		if (error instanceof FaultPlanError) return { status: 400, body: { error: `The faults are not valid: ${error.message}` } };
		if (error instanceof ApiError) return { status: error.statusCode, body: { error: error.message, details: error.details } };
		throw error;
	}
}

/** Whatever the Content-Type: `curl -d` sends that of a form. */
function jsonIn(body: Buffer): unknown {
	return parseBody(body, 'application/json', ['application/json']);
}
