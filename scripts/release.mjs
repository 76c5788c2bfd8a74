// `npm run release:check` and `npm run release:build`. Old Nodes read this file too: see setup/node-version.mjs.
import { refuseOldNode } from './setup/node-version.mjs';

refuseOldNode();
import(process.argv[2] === 'build' ? './release/build.mjs' : './release/check.mjs');
