import { isCheckpoint, isTroveError, type Change } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { changesSince, neverAborted, withDesk } from './open-desk.js';

const test = suite('items of web services that cannot be used');

interface Ticket {
  readonly id: number;
  readonly title: string;
}

/** Yields the title of a ticket, like a mapping for a member that a service may rename. */
function titleOf({ title }: Ticket): string {
  return title.toUpperCase();
}

const since = { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' } as const;

const records: Pick<HttpDescription, 'streams'> = {
  streams: {
    tickets: {
      get: '/link/tickets',
      page: 'link',
      in: 'tickets',
      key: 'id',
      record: { title: titleOf, thread: 'author' },
      one: { get: '/tickets/{key.id}' },
      ofThread: {},
      incremental: since,
    },
  },
};

const documents: Pick<HttpDescription, 'streams'> = {
  streams: {
    tickets: {
      get: '/link/tickets',
      page: 'link',
      document: { path: '{id} {title}.txt', identity: 'id', modifiedAt: 'updated' },
      read: { inItem: true, text: 'body' },
    },
    comments: {
      get: '/comments',
      in: 'comments',
      key: 'id',
      incremental: since,
    },
  },
};

/** An object whose records are counted. */
const counted: Pick<HttpDescription, 'objects' | 'streams'> = {
  objects: { tickets: { path: 'tickets', countEvery: '1d' } },
  streams: {
    tickets: { ...records.streams['tickets'], keysOnly: { query: { fields: 'id' } } },
  },
};

/** Collects the items of a stream and the error that ends it. */
async function outcome<T>(
  items: AsyncIterable<T> | undefined,
): Promise<{ readonly found: readonly T[]; readonly code: string | null }> {
  const found: T[] = [];
  try {
    for await (const item of items ?? []) found.push(item);
  } catch (error) {
    if (!isTroveError(error)) throw error;
    return { found, code: error.code };
  }
  return { found, code: null };
}

function pathsOf(items: readonly object[]): unknown[] {
  return items.flatMap((item) => ('path' in item ? [item.path] : []));
}

function keysOf(items: readonly object[]): unknown[] {
  return items.flatMap((item) => ('key' in item ? [Object(item.key).id] : []));
}

function reported(changes: readonly Change[]): unknown[] {
  return changes.flatMap((change) => {
    if ('records' in change) return change.records.map(({ key }) => key['id']);
    if ('removed' in change) return [`-${change.removed}`];
    return 'entry' in change ? [change.entry.path] : [];
  });
}

test('make a listing incomplete when a page has no others', () =>
  withDesk(documents, async ({ desk, connector }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    for (const id of [3, 4]) Reflect.deleteProperty(Object(desk.tickets.get(id)), 'title');
    const { found, code } = await outcome(connector.list({ signal: neverAborted() }));
    assert.equal(pathsOf(found), ['comments', '1 Ticket 1.txt', '2 Ticket 2.txt']);
    assert.is(code, 'listing_incomplete');
  }));

test('are left out of a complete listing when others of the page are usable', () =>
  withDesk(documents, async ({ desk, connector }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    Reflect.deleteProperty(Object(desk.tickets.get(3)), 'title');
    const { found, code } = await outcome(connector.list({ signal: neverAborted() }));
    assert.equal(pathsOf(found), [
      'comments',
      '1 Ticket 1.txt',
      '2 Ticket 2.txt',
      '4 Ticket 4.txt',
    ]);
    assert.is(code, null);
  }));

test('make the records incomplete after a fault in the description', () =>
  withDesk(records, async ({ desk, connector }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    Reflect.set(Object(desk.tickets.get(2)), 'title', null);
    const signal = neverAborted();
    const { found, code } = await outcome(connector.records?.('tickets', { signal }));
    assert.equal(keysOf(found), [1, 3, 4, 5]);
    assert.is(code, 'listing_incomplete');
  }));

test('make the records incomplete that continue at a checkpoint', () =>
  withDesk(records, async ({ desk, connector }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    Reflect.set(Object(desk.tickets.get(1)), 'title', null);
    const signal = neverAborted();
    let resume: unknown;
    for await (const item of connector.records?.('tickets', { signal }) ?? []) {
      if (!('checkpoint' in item)) continue;
      resume = structuredClone(item.checkpoint);
      break;
    }
    const { found, code } = await outcome(connector.records?.('tickets', { signal, resume }));
    assert.equal(keysOf(found), [3, 4]);
    assert.is(code, 'listing_incomplete');
  }));

test('fail in place of counting as a deleted record or an empty thread', () =>
  withDesk(records, async ({ desk, connector }) => {
    desk.addTicket(1, 1);
    Reflect.set(Object(desk.tickets.get(1)), 'title', null);
    const signal = neverAborted();
    for (const options of [{ key: { id: 1 } }, { thread: 'u1' }]) {
      const { found, code } = await outcome(connector.records?.('tickets', { signal, ...options }));
      assert.equal([found, code], [[], 'listing_incomplete']);
    }
  }));

test('are requested again in the next sync', () =>
  withDesk(records, async ({ desk, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    const hourAgo = Date.now() - 3_600_000;
    const past = { ...Object(cursor), start: hourAgo };
    desk.addTicket(1, hourAgo);
    Reflect.set(Object(desk.tickets.get(1)), 'title', null);
    const second = await changesSince(connector, past);
    assert.equal(reported(second.changes), []);
    desk.addTicket(1, hourAgo);
    const third = await changesSince(connector, second.cursor);
    assert.equal(reported(third.changes), [1]);
    assert.equal(reported((await changesSince(connector, third.cursor)).changes), []);
  }));

test('of a full listing are listed again in the next sync', () =>
  withDesk(
    {
      streams: {
        tickets: {
          ...documents.streams['tickets'],
          document: { path: (scope) => `${titleOf(Object(scope.item))}.txt`, identity: 'id' },
          read: { inItem: true, text: 'body' },
          incremental: since,
        },
      },
    },
    async ({ desk, connector }) => {
      const hourAgo = Date.now() - 3_600_000;
      desk.addTicket(1, hourAgo);
      Reflect.set(Object(desk.tickets.get(1)), 'title', null);
      let cursor: unknown;
      const commit = (value: unknown): unknown => (cursor = structuredClone(value));
      const signal = neverAborted();
      const first = await outcome(connector.changes?.({ cursor, commit, signal }));
      assert.is(first.code, 'listing_incomplete');
      desk.addTicket(1, hourAgo);
      const second = await changesSince(connector, cursor);
      assert.equal(reported(second.changes), ['TICKET 1.txt']);
    },
  ));

test('are neither removed nor forgotten', () =>
  withDesk(documents, async ({ desk, connector }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    const first = await changesSince(connector, undefined);
    for (const id of [3, 4]) Reflect.deleteProperty(Object(desk.tickets.get(id)), 'title');
    const second = await changesSince(connector, first.cursor);
    assert.equal(reported(second.changes), ['1 Ticket 1.txt', '2 Ticket 2.txt']);
    desk.addTicket(3, 1);
    desk.tickets.delete(4);
    const third = await changesSince(connector, second.cursor);
    assert.equal(reported(third.changes), [
      '1 Ticket 1.txt',
      '2 Ticket 2.txt',
      '3 Ticket 3.txt',
      '-4 Ticket 4.txt',
    ]);
  }));

test('keep the count of an object from being compared', () =>
  withDesk(counted, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    const { cursor } = await changesSince(connector, undefined);
    const due = { ...Object(cursor), counted: { tickets: 0 } };
    service.addFault({
      matches: ({ query }) => query.has('fields') && query.has('offset'),
      apply: () => ({ json: [{ number: 3 }, { number: 4 }] }),
    });
    const { changes } = await changesSince(connector, due);
    assert.not(changes.some((change) => 'total' in change));
    const next = await changesSince(connector, due);
    assert.ok(next.changes.some((change) => 'total' in change && change.total === 4));
  }));

test('keep the count from being compared after an interruption, too', () =>
  withDesk(counted, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
    const { cursor } = await changesSince(connector, undefined);
    service.addFault({
      matches: ({ query }) => query.has('fields') && !query.has('offset'),
      times: Infinity,
      apply: async (_request, normal) => ({
        ...(await normal()),
        json: [{ number: 1 }, { number: 2 }],
      }),
    });
    const request = {
      cursor: { ...Object(cursor), counted: { tickets: 0 } },
      commit: () => undefined,
      signal: neverAborted(),
    };
    const { found } = await outcome(connector.changes?.(request));
    const checkpoints = found.filter(isCheckpoint);
    assert.ok(checkpoints.length > 0);
    for (const { checkpoint } of checkpoints) {
      const resume: unknown = JSON.parse(JSON.stringify(checkpoint));
      const rest = await outcome(connector.changes?.({ ...request, resume }));
      assert.not(rest.found.some((change) => 'total' in change));
    }
  }));

test('of a folder listing end the listing', () =>
  withDesk(
    {
      streams: {
        comments: { get: '/comments' },
        tickets: {
          get: '/link/tickets',
          document: {
            path: '{id}.txt',
            identity: 'id',
            tree: { folders: 'comments', id: 'folder', name: 'text', parent: 'author' },
          },
          read: { get: '/tickets/{id}', text: 'body' },
        },
      },
    },
    async ({ desk, connector }) => {
      desk.addTicket(1, 1);
      desk.addComment(7, 1, 1);
      const { code } = await outcome(connector.list({ signal: neverAborted() }));
      assert.is(code, 'connector_unhealthy');
    },
  ));

test.run();
