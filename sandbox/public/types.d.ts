// All types that the page takes from the server.
import type { Snapshot } from '../control/snapshot';

export type { Snapshot };
export type LoggedRequest = Snapshot['requests'][number];
export type PremiumCountry = Snapshot['trunks'][number]['premiumCountries'][number];
export type FaultSwitch = Snapshot['faultGroups'][number]['faults'][number];
export type RuleCount = Snapshot['counts'][number];

/** The reply to `GET /_sandbox/requests/:id`. */
export type RequestDetail = LoggedRequest & { requestBody?: string; responseBody?: string };

/** Content of an element; undefined and false are left out. */
export type Content = Node | string | undefined | false;

/** A rule, with any parameters of its fault. */
export type AnyRule = { fault: string; count?: number; [parameter: string]: unknown };

declare global {
	const SwaggerUIBundle: (options: object) => void;
}
