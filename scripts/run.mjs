// Every command of package.json begins here: `node scripts/run.mjs start`. Old Nodes read this file too: see bootstrap/nodeVersion.mjs.
import { refuseOldNode } from './bootstrap/nodeVersion.mjs';

refuseOldNode();
import('./bootstrap/main.mjs');
