import { ApiError } from './apiError';
import { FaultPlanError, parseFaultParameters, parseFaultPlan } from './faults/parsePlan';
import { MOST_WATCHERS } from './live/events';
import { parseGateway, parseGatewayId } from './parseGateway';
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
	// only who gets no stream comes here
	[`GET ${EVENTS_PATH}`]: () => {
		throw new ApiError(503, 'Too many event streams', `At most ${MOST_WATCHERS} clients can listen; close one`);
	},
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
		controls.switchFault(fault, parseFaultParameters(jsonIn(body)));
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
		controls.removeGateway(parseGatewayId(jsonIn(body)));
		return { status: 204 };
	},
};

/**
 * Answers a control path.
 * @throws {ApiError} if there is no such path, or a field of the body is not valid
 */
export function answerControl(controls: SandboxControls, method: string, path: string, body: Buffer): Reply {
	const [, fault = ''] = /^\/_sandbox\/faults\/([^/]+)$/.exec(path) ?? [];
	const answer = paths[`${method} ${fault === '' ? path : '/_sandbox/faults/{fault}'}`];
	if (!answer) throw new ApiError(404, 'There is no such control path', { asked: `${method} ${path}`, paths: Object.keys(paths) });
	try {
		return answer(controls, body, fault);
	} catch (error) {
		throw error instanceof FaultPlanError ? new ApiError(400, 'The faults are not valid', error.message) : error;
	}
}

/** Whatever the Content-Type: `curl -d` sends that of a form. */
function jsonIn(body: Buffer): unknown {
	return parseBody(body, 'application/json', ['application/json']);
}
