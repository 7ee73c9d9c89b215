// Writes docs/reference/cli.md from the definitions of the commands.
import { mkdirSync, writeFileSync } from 'node:fs';

import { REFERENCE, referenceText } from './reference.js';

mkdirSync(new URL('.', REFERENCE), { recursive: true });
writeFileSync(REFERENCE, referenceText());
