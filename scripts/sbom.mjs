// `npm run sbom`. Old Nodes read this file too: see setup/node-version.mjs.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
import('./release/sbom-command.mjs');
