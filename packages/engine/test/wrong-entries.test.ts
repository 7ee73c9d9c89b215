import { defineConnector, type Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('invalid entries of a listing');
const target = 'plain://x';

test('1,000 fail alone in every sync, and one more ends the listing', async () => {
  let round = 0;
  let wrong = 1000;
  const plugin = defineConnector({
    keys: ['plain'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        const entry = { size: null, modifiedAt: null, fingerprint: null };
        yield { ...entry, path: `right-${++round}.txt` };
        for (let at = 0; at < wrong; at++) {
          const given: object = { ...entry, path: `wrong-${round}-${at}.txt`, size: '1' };
          yield given as Entry;
        }
      },
      read: async () => ({ bytes: Buffer.from('text') }),
      check: async () => ({ ok: true, detail: 'reachable' }),
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  try {
    for (let times = 0; times < 3; times++) {
      const job = await sync(engine, { target });
      assert.equal([job.status, job.failed_objects, job.added], ['partial', 1000, 1]);
    }
    wrong = 1001;
    assert.is((await sync(engine, { target })).status, 'failed');
  } finally {
    await engine.close();
  }
});

test.run();
