// `npm run e2e`, `e2e:browser`, `e2e:page` and `e2e:queue`. Old Nodes read this file too: see setup/node-version.mjs.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
import('./e2e/run.mjs');
