import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { StreamDescription } from '../../src/http/index.js';
import { changesSince, requestsOf, withDesk } from './open-desk.js';

const test = suite('exports of web services');
const minuteMs = 60_000;

test('deletes all messages of a thread that a deleted item ends', () => {
  const tickets: StreamDescription = {
    get: '/link/tickets',
    page: 'link',
    in: 'tickets',
    key: 'id',
    record: { text: 'body', at: 'updated', thread: '{id}' },
    isGone: 'gone',
    endsThread: 'id',
    incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
  };
  return withDesk({ streams: { tickets } }, async ({ desk, connector }) => {
    for (const id of [1, 2]) desk.addTicket(id, Date.now() - 100 * minuteMs);
    const { cursor } = await changesSince(connector, undefined);
    desk.addTicket(1, Date.now()).gone = true;
    desk.addTicket(2, Date.now());
    const { changes } = await changesSince(connector, cursor);
    const records = changes.flatMap((change) => ('records' in change ? change.records : []));
    assert.equal(
      records.map(({ key }) => key['id']),
      [2],
    );
    assert.equal(changes.at(-1), {
      path: 'tickets',
      records: [],
      removedKeys: [],
      complete: { thread: '1' },
    });
  });
});

test('keeps the token of an export if an answer has none', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/export',
          page: { by: 'cursor', from: 'after', send: 'query.cursor', until: 'end' },
          items: 'data',
          in: 'tickets',
          key: 'id',
          incremental: { by: 'export', send: { query: { start: '{since}' } }, overlap: '10m' },
        },
      },
    },
    async ({ connector, service }) => {
      service.addFault({
        matches: ({ path }) => path === '/export',
        times: Infinity,
        apply: ({ query }) => ({
          json: query.has('cursor')
            ? { data: [], after: null, end: true }
            : { data: [{ id: 1 }], after: 'c1', end: true },
        }),
      });
      let { cursor } = await changesSince(connector, undefined);
      for (let run = 1; run <= 3; run++) ({ cursor } = await changesSince(connector, cursor));
      assert.equal(requestsOf(service).slice(1), ['/export?cursor=c1', '/export?cursor=c1']);
    },
  ));

test.run();
