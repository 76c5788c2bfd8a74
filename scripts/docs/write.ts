// `npm run docs`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { operationsReference } from './operations';

writeFileSync(path.resolve(__dirname, '../../docs/operations.md'), operationsReference());
