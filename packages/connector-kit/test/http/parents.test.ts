import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { recordsAt, withDesk } from './open-desk.js';

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

test.run();
