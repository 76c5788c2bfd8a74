/**
 * The credentials that the example workflows use. Fixed ids, so that each start replaces its own and no other; fixed
 * and public keys, which open a sandbox that listens on this machine only.
 * @param {string} sandboxUrl
 */
export function credentials(sandboxUrl) {
	return [
		credential('voiceAdminSandboxReader', 'Voice Admin sandbox (read-only)', sandboxUrl, 'demo-reader', 'demo-reader-key-not-a-secret'),
		credential('voiceAdminSandbox', 'Voice Admin sandbox', sandboxUrl, 'demo-client', 'demo-key-not-a-secret'),
	];
}

function credential(id, name, sandboxUrl, clientId, clientSecret) {
	return {
		id,
		name,
		type: 'voiceAdminApi',
		data: {
			environment: 'production',
			baseUrl: sandboxUrl,
			stagingUrl: sandboxUrl,
			clientId,
			clientSecret,
			authHeaderName: 'Authorization',
			authHeaderPrefix: 'Bearer',
			allowUnauthorizedCerts: false,
		},
	};
}
