import {
  defineConnector,
  TroveError,
  type Change,
  type ChangesRequest,
  type SourceRecord,
} from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('conversations that a source refuses in part');

function said(id: number, thread: string, text: string): SourceRecord {
  const author = id % 2 === 0 ? 'Ada' : 'Ben';
  return { key: { id }, fields: { room: id }, text, author, at: id * 1000, thread };
}

test('a conversation that is refused in part keeps its messages', async () => {
  const messages = [said(1, 'ship', 'Where is the harbour?'), said(2, 'ship', 'Far away.')];
  const refused = new Set<unknown>();
  const entry = { path: 'chat', size: null, modifiedAt: null, keyFields: ['id'] };
  const plugin = defineConnector({
    keys: ['shy'],
    capabilities: { threads: true },
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      async *list() {
        yield { ...entry, fingerprint: null };
      },
      async *records(_path, { thread }) {
        const own = messages.filter((each) => thread === undefined || each.thread === thread);
        yield* own.filter(({ key }) => !refused.has(key['id']));
        if (own.some(({ key }) => refused.has(key['id'])))
          throw new TroveError('listing_incomplete', 'A message is refused.');
      },
      async *changes({ cursor, commit }: ChangesRequest): AsyncGenerator<Change> {
        const records = messages.slice(Number(cursor ?? 0));
        if (cursor === undefined) yield { entry: { ...entry, fingerprint: null } };
        else if (records.length > 0) yield { path: 'chat', records, removedKeys: [] };
        commit(messages.length);
      },
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  const target = 'shy://talk';
  const told = async (...some: SourceRecord[]): Promise<unknown[]> => {
    messages.push(...some);
    assert.is((await sync(engine, { target })).status, 'succeeded');
    const { results } = await engine.search({ q: 'harbour lighthouse salad', mode: 'keyword' });
    return results.map(({ content }) => content).sort();
  };
  const first = 'Ben: Where is the harbour?';
  assert.equal(await told(), [`${first}\n\nAda: Far away.`]);
  refused.add(2);
  const salad = said(4, 'lunch', 'Salad.');
  const ship = said(3, 'ship', 'Behind the lighthouse.');
  assert.equal(await told(ship, salad), [`Ada: Salad.`, `${first}\n\nAda: Far away.`]);
  const locator = JSON.stringify({ thread: 'ship' });
  const { content } = await engine.cat({ path: `${target}/chat`, locator });
  assert.match(content, 'Behind the lighthouse.');
  refused.clear();
  const last = `${first}\n\nAda: Far away.\n\nBen: Behind the lighthouse.`;
  assert.equal(await told(said(6, 'lunch', 'More salad.')), [
    'Ada: Salad.\n\nAda: More salad.',
    last,
  ]);
  await engine.close();
});

test.run();
