import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { RealRoots } from '../src/sources/connectors/real-roots.js';

const test = suite('real paths of roots');

test('resolves 300 roots once, at most 32 at a time, in order', async () => {
  let running = 0;
  let most = 0;
  let lookups = 0;
  const roots = new RealRoots(async (uri) => {
    lookups++;
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return `${uri}/real`;
  }, new AbortController().signal);
  const uris = Array.from({ length: 300 }, (_, at) => `file://local/${at}`);
  const expected = uris.map((uri) => `${uri}/real`);
  assert.equal(await Promise.all([roots.of(uris), roots.of(uris)]), [expected, expected]);
  assert.equal(await roots.of(uris), expected);
  assert.is(most, 32);
  assert.is(lookups, 300);
});

test.run();
