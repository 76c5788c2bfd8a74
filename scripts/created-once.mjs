// `npm run created-once`. Old Nodes read this file too: see setup/node-version.mjs.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
import('./measure/created-once.mjs');
