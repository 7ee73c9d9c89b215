import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { changesSince, recordsAt, withDesk } from './open-desk.js';

const test = suite('parents of web services that are no records');
const forbidden = { when: { status: 403 }, do: 'skip', say: 'It is archived.' } as const;

/** The only stream with records has a parent. */
const onlyChildren: HttpDescription['streams'] = {
  tickets: { get: '/link/tickets', page: 'link', keep: ['id'] },
  comments: {
    for: 'tickets',
    get: '/tickets/{id}/comments',
    items: 'items',
    in: 'comments',
    key: 'id',
    errors: [forbidden],
  },
};

test('leaves out the refused children of one parent', () =>
  withDesk({ streams: onlyChildren }, async ({ desk, connector, service }) => {
    for (const id of [1, 2, 3]) {
      desk.addTicket(id, 1);
      desk.addComment(id, id, 1);
    }
    service.addFault({
      matches: ({ path }) => path === '/tickets/2/comments',
      apply: () => ({ status: 403 }),
    });
    const records = await recordsAt(connector, 'comments');
    assert.equal(
      records.map(({ key }) => key['id']),
      [1, 3],
    );
  }));

test('fails when the children of all parents are refused', () =>
  withDesk({ streams: onlyChildren }, async ({ desk, connector, service }) => {
    for (const id of [1, 2]) desk.addTicket(id, 1);
    service.addFault({
      matches: ({ path }) => path.endsWith('/comments'),
      apply: () => ({ status: 403 }),
      times: Infinity,
    });
    const error = await rejection(() => recordsAt(connector, 'comments'));
    assert.equal([error.code, error.message], ['connector_unhealthy', 'It is archived.']);
  }));

test('requests only the children of changed parents', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/link/tickets',
          page: 'link',
          keep: ['id'],
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
        },
        comments: {
          for: 'tickets',
          get: '/tickets/{id}/comments',
          items: 'items',
          in: 'comments',
          key: 'id',
          record: { text: 'text', thread: '{tickets.id}' },
          complete: { thread: 'id' },
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (const id of [1, 2]) {
        desk.addTicket(id, 1);
        desk.addComment(id, id, 1);
      }
      const { cursor } = await changesSince(connector, undefined);
      service.forget();
      desk.addTicket(2, Date.now());
      desk.addComment(3, 2, 1);
      const { changes } = await changesSince(connector, cursor);
      assert.equal(
        service.exchanges
          .map(({ request }) => request.path)
          .filter((path) => path.endsWith('/comments')),
        ['/tickets/2/comments'],
      );
      const reported = changes.flatMap((change) => ('records' in change ? [change] : []));
      assert.equal(
        reported.map(({ records, complete }) => [records.map(({ key }) => key['id']), complete]),
        [[[2, 3], { thread: '2' }]],
      );
    },
  ));

test.run();
