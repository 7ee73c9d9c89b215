import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { changesSince, requestsOf, withDesk } from './open-desk.js';

const test = suite('lists of deleted items of web services');
const minuteMs = 60_000;

const streams: HttpDescription['streams'] = {
  tickets: {
    get: '/link/tickets',
    page: 'link',
    in: 'tickets',
    key: 'id',
    record: { title: 'title', text: 'body', at: 'updated' },
    incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
    gone: {
      get: '/trash',
      page: { by: 'page', send: 'query.page', pages: 'pages' },
      items: 'items',
      time: 'deleted',
    },
  },
};

test('stops at the first older item', () =>
  withDesk({ streams }, async ({ connector, service }) => {
    const ages = [1, 2, 60, 61];
    service.addFault({
      matches: ({ path }) => path === '/trash',
      times: Infinity,
      apply: ({ query }) => {
        const at = Number(query.get('page')) - 1;
        const deleted = new Date(Date.now() - (ages[at] ?? 0) * minuteMs).toISOString();
        return { json: { items: [{ id: at + 1, deleted }], pages: ages.length } };
      },
    });
    const { cursor } = await changesSince(connector, undefined);
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.flatMap((change) => ('removedKeys' in change ? change.removedKeys : [])),
      [{ id: 1 }, { id: 2 }],
    );
    const requests = requestsOf(service).filter((request) => request.startsWith('/trash'));
    assert.is(requests.length, 3);
  }));

test('a refused list holds only its own cursor', () => {
  const errors = [{ when: { status: 403 }, do: 'skip', say: 'The trash is private.' }] as const;
  const { tickets } = streams;
  return withDesk({ streams: { tickets: { ...tickets, errors } } }, async (open) => {
    const { connector, service } = open;
    let isRefused = true;
    const deleted = new Date().toISOString();
    service.addFault({
      matches: ({ path }) => path === '/trash',
      times: Infinity,
      apply: () =>
        isRefused ? { status: 403 } : { json: { items: [{ id: 7, deleted }], pages: 1 } },
    });
    const first = await changesSince(connector, undefined);
    const { start } = Object(first.cursor);
    const warnings: string[] = [];
    const second = await changesSince(connector, first.cursor, (each) => warnings.push(each));
    const third = await changesSince(connector, second.cursor);
    assert.equal(warnings, ['The trash is private.']);
    assert.equal(Object(third.cursor).held, { 'tickets/gone': start });
    isRefused = false;
    const { changes, cursor } = await changesSince(connector, third.cursor);
    assert.equal(
      changes.flatMap((change) => ('removedKeys' in change ? change.removedKeys : [])),
      [{ id: 7 }],
    );
    assert.equal(Object(cursor).held, {});
  });
});

test.run();
