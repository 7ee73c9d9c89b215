import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Fault } from '../../src/http/fake/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import type { HttpDescription } from '../../src/http/index.js';
import type { Desk } from './desk-service.js';
import {
  all,
  changesSince,
  deskBase,
  neverAborted,
  recordsAt,
  requestsOf,
  withDesk,
} from './open-desk.js';

const test = suite('embedded children and second checks of web services');
const hourMs = 3_600_000;

const tickets: Pick<HttpDescription, 'streams'> = {
  streams: {
    tickets: {
      get: '/link/tickets',
      page: 'link',
      in: 'tickets',
      key: 'id',
      keep: ['id'],
      record: { title: 'title', text: 'body', at: 'updated', thread: '{id}' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{item.id}/comments',
      page: { by: 'cursor', from: 'next', send: 'query.after' },
      items: 'items',
      embedded: {
        items: 'comments',
        isComplete: ({ count, comments }: { count: number; comments: unknown[] }) =>
          count === comments.length,
      },
      in: 'tickets',
      key: 'id',
      record: { text: 'text', at: 'updated', thread: '{ticket}' },
      complete: { thread: '{tickets.id}' },
    },
  },
};

/** Adds up to two comments to each ticket of a page. */
function embedding(desk: Desk): Fault {
  return {
    matches: ({ path }) => path === '/link/tickets',
    times: Infinity,
    apply: async (_request, normal) => {
      const { json, ...answer } = await normal();
      const page: unknown[] = Array.isArray(json) ? json : [];
      const filled = page.map((ticket) => {
        const own = [...desk.comments.values()].filter((each) => each.ticket === Object(ticket).id);
        return { ...Object(ticket), count: own.length, comments: own.slice(0, 2) };
      });
      return { ...answer, json: filled };
    },
  };
}

test('requests only the children that their parents do not contain', () =>
  withDesk(tickets, async ({ desk, connector, service }) => {
    service.addFault(embedding(desk));
    for (let id = 1; id <= 3; id++) desk.addTicket(id, 1_000_000_000_000);
    for (let id = 1; id <= 3; id++) desk.addComment(id, 1, 1_000_000_000_000);
    desk.addComment(4, 2, 1_000_000_000_000);
    const records = await recordsAt(connector, 'tickets');
    assert.equal(
      records.map(({ key, thread }) => [key['stream'], key['id'], thread]),
      [
        ['tickets', 1, '1'],
        ['tickets', 2, '2'],
        ['comments', 4, '2'],
        ['comments', 1, '1'],
        ['comments', 2, '1'],
        ['comments', 3, '1'],
        ['tickets', 3, '3'],
      ],
    );
    assert.equal(
      requestsOf(service).filter((request) => request.includes('comments')),
      ['/tickets/1/comments', '/tickets/1/comments?after=2'],
    );
  }));

test('continues after embedded children at the page of another child', () =>
  withDesk(tickets, async ({ desk, connector, service }) => {
    service.addFault(embedding(desk));
    for (let id = 1; id <= 2; id++) desk.addTicket(id, 1_000_000_000_000);
    for (let id = 1; id <= 3; id++) desk.addComment(id, 1, 1_000_000_000_000);
    desk.addComment(4, 2, 1_000_000_000_000);
    service.addFault({
      matches: ({ query }) => query.has('after'),
      apply: () => ({ status: 500, json: {} }),
    });
    const ids: unknown[] = [];
    let resume: unknown;
    const read = async (): Promise<void> => {
      const options = { signal: neverAborted(), resume };
      for await (const item of connector.records?.('tickets', options) ?? [])
        if ('checkpoint' in item) resume = structuredClone(item.checkpoint);
        else ids.push(`${item.key['stream']} ${item.key['id']}`);
    };
    await rejection(read);
    service.forget();
    await read();
    assert.equal(ids, [
      'tickets 1',
      'tickets 2',
      'comments 4',
      'comments 1',
      'comments 2',
      'comments 3',
    ]);
    assert.equal(requestsOf(service), ['/tickets/1/comments?after=2']);
  }));

test('completes the threads of embedded children', () =>
  withDesk(tickets, async ({ desk, connector, service }) => {
    service.addFault(embedding(desk));
    desk.addTicket(1, Date.now() - hourMs);
    const { cursor } = await changesSince(connector, undefined);
    desk.addTicket(1, Date.now());
    desk.addTicket(2, Date.now());
    desk.addComment(1, 1, Date.now());
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.flatMap((change) => ('complete' in change ? change.complete : [])),
      [{ thread: '1' }, { thread: '2' }],
    );
  }));

test('fails if the login stops to work during a listing', () =>
  withDesk(
    { ...tickets, check: { ...deskBase.check, again: true } },
    async ({ desk, connector, service }) => {
      service.addFault(embedding(desk));
      desk.isLenient = true;
      desk.addTicket(1, Date.now());
      const { cursor } = await changesSince(connector, undefined);
      const revoke = (): void =>
        service.addFault({
          matches: ({ path }) => path === '/me',
          apply: async (_request, normal) => {
            const answer = await normal();
            desk.tokens.clear();
            return answer;
          },
        });
      const works: readonly (() => Promise<unknown>)[] = [
        () => changesSince(connector, cursor),
        () => changesSince(connector, undefined),
        () => all(connector.list({ signal: neverAborted() })),
      ];
      for (const work of works) {
        desk.tokens.add('good');
        revoke();
        const { message } = await rejection(work);
        assert.match(message, 'refused the login');
      }
      desk.tokens.add('good');
      await recordsAt(connector, 'tickets');
      desk.tokens.clear();
      await rejection(() => recordsAt(connector, 'tickets'));
      assert.equal(await recordsAt(connector, 'tickets', { limit: 1 }), []);
    },
  ));

test.run();
