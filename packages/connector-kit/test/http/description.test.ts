import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeOf } from '@trove/test-support/rejection.js';
import { assertHttpDescription, httpDescriptionSchema } from '../../src/http/index.js';
import { deskBase } from './open-desk.js';

const test = suite('descriptions of web services');

const tickets = { get: '/tickets', in: 'tickets', key: 'id' };
const plain = {
  ...deskBase,
  limits: { budgets: [{ match: '/export', requests: 10, per: '1m' }] },
  streams: {
    tickets: {
      ...tickets,
      page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '10m' },
      record: { title: 'title', fields: ['labels[].name'] },
    },
  },
};

const feed = {
  by: 'feed',
  start: { get: '/changes/start', token: 'token' },
  changes: { get: '/changes', query: { token: '{token}' } },
  items: 'changes',
  id: 'id',
  next: 'next',
};

const invalid: readonly (readonly [description: unknown, problem: RegExp])[] = [
  [{ ...plain, streems: {} }, /`streems` is unknown/],
  [{ ...plain, streams: {} }, /`streams` must not be empty/],
  [
    { ...plain, streams: { tickets: { in: 'tickets', key: 'id' } } },
    /needs `get`, `post` or `graphql`/,
  ],
  [{ ...plain, streams: { tickets: { ...tickets, post: '/' } } }, /has both `get` and `post`/],
  [{ ...plain, streams: { tickets: { ...tickets, for: 'x' } } }, /unknown parent: x/],
  [{ ...plain, streams: { tickets: { ...tickets, for: 'tickets' } } }, /is its own parent/],
  [{ ...plain, streams: { tickets: { ...tickets, key: undefined } } }, /both `in` and `key`/],
  [{ ...plain, streams: { since: tickets } }, /name of a placeholder/],
  [
    { ...plain, streams: { tickets: { ...tickets, endsThread: 'id' } } },
    /`isGone` with `endsThread`/,
  ],
  [
    { ...plain, lookups: { users: { get: '/users', batch: 9, value: 'name' } } },
    /`lookups.users` needs `items` for its batches/,
  ],
  [
    {
      ...plain,
      streams: { tickets: { ...tickets, page: { by: 'cursor', from: 'a', send: 'cursor' } } },
    },
    /`streams.tickets.page.send` "cursor" must match/,
  ],
  [
    { ...plain, streams: { tickets: { ...tickets, incremental: { by: 'since', send: {} } } } },
    /`streams.tickets.incremental.overlap` is missing/,
  ],
  [
    {
      ...plain,
      streams: {
        tickets: { ...tickets, incremental: { by: 'window', last: '3d', send: {}, order: 'none' } },
        notes: { get: '/notes', in: 'tickets', key: 'id' },
      },
    },
    /`streams.tickets` has a window, .* other streams: notes/,
  ],
  [
    {
      ...plain,
      streams: {
        tickets: { ...tickets, one: { get: '/tickets/{key.id}' }, incremental: feed },
        notes: { for: 'tickets', get: '/tickets/{id}/notes', in: 'notes', key: 'id' },
      },
    },
    /`streams.tickets` has a change feed, but also child streams: notes/,
  ],
  [{ ...plain, limits: { wait: '1 minute' } }, /`limits.wait` "1 minute" must match/],
  [{ ...plain, errors: [{ when: {}, do: 'ignore' }] }, /`errors\[0\].do` must be one of/],
];

for (const [description, problem] of invalid) {
  test(`rejects a description: ${problem.source.slice(0, 50)}`, async () => {
    assert.throws(() => assertHttpDescription(description), problem);
    assert.is(
      await codeOf(Promise.resolve().then(() => assertHttpDescription(description))),
      'plugin_invalid',
    );
  });
}

test('accepts a description without functions, as its JSON Schema does', () => {
  assertHttpDescription(plain);
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(httpDescriptionSchema);
  assert.ok(validate(structuredClone(plain)), JSON.stringify(validate.errors));
  assert.not(validate({ ...plain, streams: { tickets: { ...tickets, page: 'pages' } } }));
});

for (const page of [
  { by: 'next', from: 'next', required: true },
  { by: 'cursor', from: 'next', send: 'query.c', required: true },
  { by: 'cursor', from: 'next', send: 'query.c', until: 'end', moreOptional: true },
  { by: 'page', send: 'query.p', more: 'more', moreOptional: true },
  { by: 'offset', send: 'query.o', more: 'more', moreOptional: true },
  { by: 'keyset', from: 'id', send: 'query.k', more: 'next.after', moreOptional: true },
])
  test(`accepts the paging ${JSON.stringify(page)}`, () =>
    assertHttpDescription({ ...plain, streams: { tickets: { ...tickets, page } } }));

test('accepts functions only where the types have them', () => {
  const record = (): object => ({ title: 'x' });
  assertHttpDescription({
    ...plain,
    streams: { tickets: { ...tickets, record, where: () => true } },
  });
  assert.throws(
    () => assertHttpDescription({ ...plain, streams: { tickets: { ...tickets, in: () => 'x' } } }),
    /`streams.tickets.in` must be string/,
  );
});

test.run();
