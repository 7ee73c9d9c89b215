// Waits for a git process that never ends, and writes a file after its start.
import { writeFileSync } from 'node:fs';
import { connectorContext } from '@trove/testkit';

import { Git } from '../../src/git.js';

const [, , pipe = '', told = ''] = process.argv;
const { error } = connectorContext({ config: {}, target: 'git+file://local/' });
const waiting = new Git(error).text(['hash-object', pipe], {
  signal: new AbortController().signal,
});
writeFileSync(told, '');
await waiting;
