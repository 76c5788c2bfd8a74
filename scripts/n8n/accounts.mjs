// Fixed and public on purpose: they open a sandbox and an n8n that listen on this machine only.

/** The owner of the demo n8n. The password follows n8n's rules: 8 characters, a digit, a capital. */
export const OWNER = {
	email: 'demo@voice-admin.example',
	password: 'Voice-Admin-Demo-1',
	firstName: 'Voice Admin',
	lastName: 'Demo',
};

/**
 * The credentials that the example workflows use. Fixed ids, so that each start replaces its own and no other.
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
