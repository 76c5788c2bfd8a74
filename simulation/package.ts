/* What a process of n8n has of this package: apart from every other process, and with a time of its own. */
import { VoiceAdminApi } from '../credentials/VoiceAdminApi.credentials';
import { VoiceAdmin } from '../nodes/VoiceAdmin/VoiceAdmin.node';
import { VoiceAdminTrigger } from '../nodes/VoiceAdmin/VoiceAdminTrigger.node';

export { parseCredential } from '../nodes/VoiceAdmin/transport/auth/credential';
export { limiterOf } from '../nodes/VoiceAdmin/transport/flow/concurrencyLimiter';
export { time } from '../nodes/VoiceAdmin/time';

export const credential = new VoiceAdminApi();
export const node = new VoiceAdmin();
export const trigger = new VoiceAdminTrigger();
