import { type History, N8n } from './n8n';
import { watch } from './trigger';
import type { World } from './world';

/** Lets a world happen. The same world always has the same history. */
export const happen = async (world: World): Promise<History> => await new N8n(world).happen(watch);
