import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { recordsAt } from '@trove/test-support/connector-reads.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startHttpFake } from '../../src/http/fake/index.js';
import { deskPlugin } from './open-desk.js';

const test = suite('fakes of services that list children in their parent');

/** The request for one ticket also lists its comments. */
const plugin = deskPlugin({
  streams: {
    tickets: {
      post: '/tickets/search',
      body: { updated: 0 },
      items: 'tickets',
      keep: ['id'],
      in: 'desk',
      key: 'id',
      record: { text: 'title', at: 'created', thread: 'id' },
      one: { get: '/tickets/{key.id}' },
      ofThread: { get: '/tickets/{thread}', items: '.' },
      incremental: { by: 'since', send: { body: { updated: '{since}' } }, overlap: '10m' },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{id}',
      items: 'comments.list',
      in: 'desk',
      key: 'id',
      record: { text: 'body', at: 'created', thread: '{tickets.id}' },
      ofThread: { get: '/tickets/{thread}' },
      complete: { thread: 'id' },
    },
  },
});

test('answers one request with the item and its children', async () => {
  await using fake = await startHttpFake(plugin, { config: (url) => ({ url, token: 'good' }) });
  const connector = await plugin.create(
    connectorContext({
      target: fake.target,
      http: connectorHttp(),
      config: configFor(plugin, fake.config),
    }),
  );
  fake.put('tickets', { id: '1', title: 'Printer', created: 1_700_000_000 });
  fake.put('tickets', { id: '2', title: 'Screen', created: 1_700_000_000 });
  fake.put('comments', { id: '7', body: 'Sorry', created: 1_700_000_001 }, { tickets: '1' });
  const read = async (options: object): Promise<string[]> =>
    (await recordsAt(connector, 'desk', options)).map(({ text }) => text ?? '');
  assert.equal((await read({})).toSorted(), ['Printer', 'Screen', 'Sorry']);
  assert.equal(await read({ key: { stream: 'tickets', id: '2' } }), ['Screen']);
  assert.equal(await read({ key: { stream: 'tickets', id: '3' } }), []);
  assert.equal(await read({ thread: '1' }), ['Printer', 'Sorry']);
  assert.equal(await read({ thread: '2' }), ['Screen']);
  await connector.close?.();
});

test.run();
