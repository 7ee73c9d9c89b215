import { isCheckpoint, type Change } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import type { HttpDescription } from '../../src/http/index.js';
import { all, changesSince, neverAborted, recordsAt, requestsOf, withDesk } from './open-desk.js';

const test = suite('incremental runs of web services');
const minuteMs = 60_000;

const conversation: Pick<HttpDescription, 'streams' | 'objects'> = {
  objects: { tickets: { path: 'tickets', title: 'Tickets' } },
  streams: {
    tickets: {
      get: '/link/tickets',
      page: 'link',
      in: 'tickets',
      key: 'id',
      isGone: 'gone',
      record: { title: 'title', text: 'body', at: 'updated', thread: '{id}' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
    },
    comments: {
      for: 'tickets',
      get: '/tickets/{id}/comments',
      page: { by: 'cursor', from: 'next', send: 'query.after' },
      items: 'items',
      in: 'tickets',
      key: 'id',
      record: { text: 'text', at: 'updated', thread: '{ticket}' },
      complete: { thread: 'id' },
    },
  },
};

function keysOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) =>
    'records' in change ? change.records.map(({ key }) => `${key['stream']} ${key['id']}`) : [],
  );
}

test('lists objects first and only changed records after that', () =>
  withDesk(conversation, async ({ desk, service, connector }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, Date.now() - 100 * minuteMs);
    desk.addComment(7, 3, Date.now());
    const first = await changesSince(connector, undefined);
    assert.equal(
      first.changes.map((change) => ('entry' in change ? change.entry.path : change)),
      ['tickets'],
    );
    service.forget();
    desk.addTicket(3, Date.now());
    const second = await changesSince(connector, first.cursor);
    assert.equal(keysOf(second.changes), ['tickets 3', 'tickets 3', 'comments 7']);
    assert.is(requestsOf(service).filter((request) => request.includes('/comments')).length, 1);
  }));

test('subtracts the overlap from the start of the last run', () =>
  withDesk(conversation, async ({ service, connector }) => {
    const before = Date.now();
    const first = await changesSince(connector, undefined);
    service.forget();
    await changesSince(connector, first.cursor);
    const [request = ''] = requestsOf(service);
    const since = Date.parse(/since=(.*)$/.exec(request)?.[1] ?? '');
    // The service states the time in whole seconds.
    const earliest = before - 10 * minuteMs - 1000;
    assert.ok(since >= earliest && since <= Date.now() - 10 * minuteMs, request);
  }));

test('takes the cursor before the listing, so a late item is found', () =>
  withDesk(conversation, async ({ desk, connector, service }) => {
    desk.addTicket(1, Date.now() - 100 * minuteMs);
    const { cursor } = await changesSince(connector, undefined);
    service.addFault({
      matches: ({ path }) => path === '/link/tickets',
      apply: async (_request, normal) => {
        const answer = await normal();
        desk.addTicket(2, Date.now());
        return answer;
      },
    });
    const second = await changesSince(connector, cursor);
    assert.equal(keysOf(second.changes), []);
    const third = await changesSince(connector, second.cursor);
    assert.equal(keysOf(third.changes), ['tickets 2', 'tickets 2']);
  }));

test('reports a record that is gone by its key, and its thread as empty', () =>
  withDesk(conversation, async ({ desk, connector }) => {
    const ticket = desk.addTicket(1, Date.now());
    const { cursor } = await changesSince(connector, undefined);
    ticket.gone = true;
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changes, [
      { path: 'tickets', records: [], removedKeys: [{ stream: 'tickets', id: 1 }] },
      { path: 'tickets', records: [], removedKeys: [], complete: { thread: '1' } },
    ]);
  }));

test('lists a thread that outlives its first message', () => {
  const { comments, tickets } = conversation.streams;
  if (comments === undefined || tickets === undefined) throw new Error('A stream is missing.');
  const complete = { thread: 'id', outlivesParent: true };
  const streams = { tickets, comments: { ...comments, complete } };
  return withDesk({ ...conversation, streams }, async ({ desk, connector }) => {
    const ticket = desk.addTicket(1, Date.now());
    desk.addComment(7, 1, Date.now());
    const { cursor } = await changesSince(connector, undefined);
    ticket.gone = true;
    const { changes } = await changesSince(connector, cursor);
    assert.equal(keysOf(changes), ['comments 7']);
    const [removed, thread] = changes.map((change) => Object(change));
    assert.equal(removed.removedKeys, [{ stream: 'tickets', id: 1 }]);
    assert.equal(thread.complete, { thread: '1' });
  });
});

test('completes a thread together with its first message', () =>
  withDesk(conversation, async ({ desk, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    desk.addTicket(1, Date.now());
    for (let id = 1; id <= 3; id++) desk.addComment(id, 1, Date.now());
    const items = await all(
      connector.changes?.({ cursor, commit: () => undefined, signal: neverAborted() }),
    );
    const last = items.findLastIndex((item) => !isCheckpoint(item));
    const complete = items[last];
    assert.equal('complete' in Object(complete) && Object(complete).complete, { thread: '1' });
    const since = items.slice(0, last).findLastIndex((item) => isCheckpoint(item));
    const scope = items
      .slice(since + 1, last + 1)
      .filter((item): item is Change => !isCheckpoint(item));
    assert.equal([...new Set(keysOf(scope))].sort(), [
      'comments 1',
      'comments 2',
      'comments 3',
      'tickets 1',
    ]);
  }));

test('continues after a checkpoint without repeating a request', () =>
  withDesk(conversation, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, Date.now());
    for (let id = 1; id <= 5; id++) desk.addComment(id, id, Date.now());
    const whole = (await recordsAt(connector, 'tickets')).map(({ key }) => JSON.stringify(key));
    const expected = requestsOf(service);
    service.forget();
    const found: string[] = [];
    let resume: unknown;
    for (let calls = 0; calls < 50; calls++) {
      let isInterrupted = false;
      for await (const item of connector.records?.('tickets', { signal: neverAborted(), resume }) ??
        []) {
        if (!isCheckpoint(item)) found.push(JSON.stringify(item.key));
        else {
          resume = structuredClone(item.checkpoint);
          isInterrupted = true;
          break;
        }
      }
      if (!isInterrupted) break;
    }
    assert.equal(found, whole);
    assert.equal(requestsOf(service), expected);
  }));

test('keeps the cursor when the listing fails', () =>
  withDesk(conversation, async ({ desk, connector, service }) => {
    desk.addTicket(1, Date.now());
    const { cursor } = await changesSince(connector, undefined);
    service.addFault({
      matches: ({ path }) => path === '/link/tickets',
      apply: () => ({ status: 400, json: { message: 'no such field' } }),
    });
    let committed = false;
    const error = await rejection(() =>
      all(
        connector.changes?.({
          cursor,
          commit: () => (committed = true),
          signal: neverAborted(),
        }),
      ),
    );
    assert.match(error.message, 'no such field');
    assert.not(committed);
  }));

test('leaves out an item without a key, with a sentence', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/link/tickets',
          in: 'tickets',
          key: 'number',
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
        },
      },
    },
    async ({ desk, connector }) => {
      const { cursor } = await changesSince(connector, undefined);
      desk.addTicket(1, Date.now());
      const warnings: string[] = [];
      const { changes } = await changesSince(connector, cursor, (text) => warnings.push(text));
      assert.equal(changes, []);
      assert.match(warnings[0] ?? '', /^Item 1 of `tickets` is left out: .* no `number`$/);
    },
  ));

test('stops a newest-first listing at the first older item', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/link/tickets?sort=newest',
          page: 'link',
          in: 'tickets',
          key: 'id',
          record: { title: 'title' },
          incremental: { by: 'newest-first', time: 'updated', overlap: '1m' },
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 9; id++) desk.addTicket(id, Date.now() - 100 * minuteMs);
      const { cursor } = await changesSince(connector, undefined);
      desk.addTicket(9, Date.now());
      service.forget();
      const { changes } = await changesSince(connector, cursor);
      assert.equal(keysOf(changes), ['undefined 9']);
      assert.is(requestsOf(service).length, 1);
    },
  ));

test('reads an object again when a stream of it reports no changes', () =>
  withDesk(
    {
      streams: {
        tickets: { get: '/link/tickets', page: 'link', in: 'tickets', key: 'id' },
        others: {
          get: '/link/tickets',
          in: 'others',
          key: 'id',
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
        },
      },
    },
    async ({ connector }) => {
      const { cursor } = await changesSince(connector, undefined);
      const { changes } = await changesSince(connector, cursor);
      assert.equal(
        changes.map((change) => ('entry' in change ? change.entry.path : null)),
        ['tickets'],
      );
    },
  ));

test('leaves out an item whose mapping fails, with a sentence', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/link/tickets',
          page: 'link',
          in: 'tickets',
          key: 'id',
          record: (ticket: { id: number }) => {
            if (ticket.id === 2) throw new Error('the body is no document');
            return { title: `No. ${ticket.id}` };
          },
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
        },
      },
    },
    async ({ desk, connector }) => {
      const { cursor } = await changesSince(connector, undefined);
      for (let id = 1; id <= 3; id++) desk.addTicket(id, Date.now());
      const warnings: string[] = [];
      const { changes } = await changesSince(connector, cursor, (text) => warnings.push(text));
      assert.equal(keysOf(changes), ['undefined 1', 'undefined 3']);
      assert.equal(warnings, ['Item 2 of `tickets` is left out: the body is no document']);
    },
  ));

test('counts the records at intervals, because nothing reports a deletion', () => {
  const { tickets = { get: '/' }, comments = { get: '/' } } = conversation.streams;
  const counted: typeof conversation = {
    objects: { tickets: { path: 'tickets', countEvery: '1d' } },
    streams: {
      tickets: { ...tickets, keysOnly: { query: { fields: 'id' } } },
      comments,
    },
  };
  return withDesk(counted, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, Date.now() - 100 * minuteMs);
    desk.addComment(7, 3, Date.now());
    const first = await changesSince(connector, undefined);
    desk.tickets.delete(4);
    const second = await changesSince(connector, first.cursor);
    assert.equal(second.changes, [], 'not due');
    const { start, counted: times } = Object(second.cursor);
    assert.ok(times.tickets <= start);
    service.forget();
    const due = { ...Object(second.cursor), counted: { tickets: start - 2 * 86_400_000 } };
    const third = await changesSince(connector, due);
    assert.equal(third.changes, [{ path: 'tickets', records: [], removedKeys: [], total: 5 }]);
    const listed = requestsOf(service).filter((request) => request.includes('fields=id'));
    assert.is(new Set(listed).size, 2);
  });
});

test('continues an export from the token of its last page', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/export',
          page: { by: 'cursor', from: 'after', send: 'query.cursor', until: 'end' },
          items: 'items',
          in: 'tickets',
          key: 'id',
          incremental: {
            by: 'export',
            send: { query: { start: '{since}' } },
            format: 'seconds',
            overlap: '1m',
          },
        },
      },
    },
    async ({ connector, service }) => {
      let count = 3;
      service.addFault({
        matches: ({ path }) => path === '/export',
        times: Infinity,
        apply: ({ query }) => {
          const from = Number(query.get('cursor') ?? 0);
          const items = [from, from + 1].filter((id) => id < count).map((id) => ({ id }));
          const after = String(from + items.length);
          return { json: { items, after, end: Number(after) >= count } };
        },
      });
      const first = await changesSince(connector, undefined);
      assert.equal(
        (await recordsAt(connector, 'tickets')).map(({ key }) => key['id']),
        [0, 1, 2],
      );
      const second = await changesSince(connector, first.cursor);
      assert.equal(keysOf(second.changes).length, 3, 'the overlap is read again');
      count = 5;
      service.forget();
      const third = await changesSince(connector, second.cursor);
      assert.equal(keysOf(third.changes), ['undefined 3', 'undefined 4']);
      assert.equal(requestsOf(service), ['/export?cursor=3']);
    },
  ));

test('reports items of a listing of deleted ones by their keys', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/link/tickets',
          page: 'link',
          in: 'tickets',
          key: 'id',
          incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
          gone: { get: '/trash', query: { from: '{since}' }, items: 'ids', key: { id: 'ticket' } },
        },
      },
    },
    async ({ connector, service }) => {
      const { cursor } = await changesSince(connector, undefined);
      service.addFault({
        matches: ({ path }) => path === '/trash',
        apply: () => ({ json: { ids: [{ ticket: 7 }] } }),
      });
      const { changes } = await changesSince(connector, cursor);
      assert.equal(changes, [{ path: 'tickets', records: [], removedKeys: [{ id: 7 }] }]);
    },
  ));

test('ends a full listing as incomplete when the service refuses a part', () =>
  withDesk(
    {
      errors: [{ when: { status: 403 }, do: 'skip', say: 'One part is private.' }],
      streams: {
        tickets: { get: '/link/tickets', page: 'link', keep: ['id'] },
        comments: {
          for: 'tickets',
          get: '/tickets/{id}/comments',
          items: 'items',
          document: { path: '{id}.txt', identity: 'id' },
          read: { get: '/x' },
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 3; id++) {
        desk.addTicket(id, 1);
        desk.addComment(id, id, 1);
      }
      service.addFault({
        matches: ({ path }) => path === '/tickets/2/comments',
        apply: () => ({ status: 403, json: {} }),
      });
      const paths: string[] = [];
      const error = await rejection(async () => {
        for await (const item of connector.list({ signal: neverAborted() }))
          if (!isCheckpoint(item)) paths.push(item.path);
      });
      assert.is(error.code, 'listing_incomplete');
      assert.equal(paths, ['1.txt', '3.txt']);
    },
  ));

test.run();
