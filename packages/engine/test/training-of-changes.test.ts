import {
  defineConnector,
  type Change,
  type ChangesRequest,
  type RecordsOptions,
  type SourceRecord,
} from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';
import { learner } from './support/learner.js';

const test = suite('training with reported changes');
const target = 'told://talk';
const entry = { path: 'chat', size: null, modifiedAt: null, fingerprint: null, keyFields: ['id'] };

function message(id: number): SourceRecord {
  return { key: { id }, fields: {}, text: `harbour ${id}`, thread: String(id) };
}

test('reads no object again whose changes were reported', async () => {
  const readings: RecordsOptions[] = [];
  const plugin = defineConnector({
    keys: ['told'],
    capabilities: { threads: true },
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        yield entry;
      },
      async *records(_path, options) {
        readings.push(options);
        yield message(1);
      },
      async *changes({ cursor, commit }: ChangesRequest): AsyncGenerator<Change> {
        if (cursor === undefined) yield { entry };
        else yield { path: 'chat', records: [message(2)], removedKeys: [] };
        commit(1);
      },
    }),
  });
  const embedding = { provider: 'learner' };
  const engine = await new World().open({ plugins: [plugin, await learner()], embedding });
  try {
    await sync(engine, { target });
    readings.length = 0;
    assert.is((await sync(engine, { target })).changed, 1);
    assert.equal(readings, []);
  } finally {
    await engine.close();
  }
});

test.run();
