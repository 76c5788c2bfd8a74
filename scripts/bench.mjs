// `npm run bench`. Old Nodes read this file too: see setup/node-version.mjs.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
import('../bench/run.mjs');
