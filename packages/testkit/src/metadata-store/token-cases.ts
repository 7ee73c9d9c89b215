import type { MetadataStore, NewToken, StoredToken, TokenRecord } from '@trove/core/store';
import { expect, expectEqual, expectError } from '../expect.js';
import { oddTexts, pollUntil } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const hourMs = 60 * 60 * 1000;

export const tokenCases: readonly MetadataStoreCase[] = [
  {
    id: 'token-stored',
    parts: ['tokens'],
    title: 'stores a token with its rights and paths',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open()];
      const paths = oddTexts.map((text) => `file://local/${text}`);
      const created = await store.tokens.create(
        newToken({ rights: 'sync', paths, lifetimeMs: hourMs }),
      );
      const { createdAt, endsAt, ...rest } = created;
      const stated = { id: 't1', name: 'ci', hash: 'hash of t1', rights: 'sync', paths };
      expectEqual(rest, { ...stated, lastUsedAt: null, isReplaced: false }, 'the token');
      expectEqual(endsAt, createdAt + hourMs, 'its end');
      const { remainingMs, ...again } = await tokenOf(other, 't1');
      expectEqual(again, created, 'the token, read again');
      const isExact = remainingMs !== null && remainingMs > hourMs / 2 && remainingMs <= hourMs;
      expect(isExact, `the token ends in ${remainingMs} ms`);
      expectEqual(await other.tokens.get('t2'), null, 'an unknown token');
      const unlimited = await store.tokens.create(newToken({ id: 't2', name: 'all' }));
      expectEqual([unlimited.paths, unlimited.endsAt], [null, null], 'a token without limits');
      expectEqual((await tokenOf(store, 't2')).remainingMs, null, 'its remaining time');
      const none = await store.tokens.create(newToken({ id: 't3', name: 'none', paths: [] }));
      expectEqual(none.paths, [], 'the paths of a token that sees nothing');
    },
  },
  {
    id: 'tokens-in-order',
    parts: ['tokens'],
    title: 'lists tokens by name, a replaced one before its successor',
    run: async ({ open }) => {
      const store = await open();
      for (const name of ['b', 'B', 'a'])
        await store.tokens.create(newToken({ id: `1${name}`, name }));
      await store.tokens.rotate('b', { id: '0b', hash: 'new' }, hourMs);
      const ids = (await store.tokens.list()).map(({ id }) => id);
      expectEqual(ids, ['1B', '1a', '1b', '0b'], 'the tokens');
    },
  },
  {
    id: 'token-name-unique',
    parts: ['tokens'],
    title: 'gives a name to one of several concurrent callers',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const created = await Promise.allSettled(
        stores.map(({ tokens }, at) => tokens.create(newToken({ id: `t${at}` }))),
      );
      const won = created.filter(({ status }) => status === 'fulfilled');
      expectEqual(won.length, 1, 'the number of new tokens');
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await expectError(store.tokens.create(newToken({ id: 'late' })), 'token_exists', 'another');
    },
  },
  {
    id: 'token-name-free-after-end',
    parts: ['tokens'],
    title: 'frees the name of an ended or revoked token',
    run: async ({ open }) => {
      const store = await open();
      await store.tokens.create(newToken({ lifetimeMs: 1 }));
      const later = await pollUntil(
        () => store.tokens.create(newToken({ id: 't2' })).catch(() => null),
        'the end of the token',
      );
      expectEqual(await store.tokens.list(), [later], 'the tokens');
      expectEqual(await store.tokens.revoke('ci'), ['t2'], 'the revoked tokens');
      expectEqual(await store.tokens.revoke('ci'), [], 'revoking again');
      expectEqual((await store.tokens.create(newToken({ id: 't3' }))).id, 't3', 'the next token');
    },
  },
  {
    id: 'token-rotated',
    parts: ['tokens'],
    title: 'rotates a token and keeps the former for the overlap',
    run: async ({ open }) => {
      const store = await open();
      const paths = ['file://local/a'];
      const former = await store.tokens.create(newToken({ paths, lifetimeMs: 10 * hourMs }));
      const next = await rotated(store, 'ci', 't2', hourMs);
      expectEqual([next.name, next.rights, next.paths], ['ci', 'read', paths], 'the new token');
      expectEqual([next.hash, next.isReplaced, next.lastUsedAt], ['new', false, null], 'its state');
      expectEqual(next.endsAt, next.createdAt + 10 * hourMs, 'its end');
      const replaced = await tokenOf(store, 't1');
      expectEqual([replaced.isReplaced, replaced.hash], [true, former.hash], 'the former');
      const endsIn = (replaced.endsAt ?? 0) - former.createdAt;
      expect(endsIn >= hourMs && endsIn < 2 * hourMs, `the former ends in ${endsIn} ms`);
      await rotated(store, 'ci', 't3', 20 * hourMs);
      const [first, second] = [await tokenOf(store, 't1'), await tokenOf(store, 't2')];
      expectEqual([first.endsAt, second.endsAt], [replaced.endsAt, next.endsAt], 'earlier ends');
      expectEqual((await store.tokens.revoke('ci')).sort(), ['t1', 't2', 't3'], 'revoked tokens');
    },
  },
  {
    id: 'token-not-rotated',
    parts: ['tokens'],
    title: 'rotates neither an unknown nor an ended token',
    run: async ({ open }) => {
      const store = await open();
      const replacement = { id: 't2', hash: 'new' };
      expectEqual(await store.tokens.rotate('ci', replacement, 0), null, 'an unknown token');
      await store.tokens.create(newToken({ lifetimeMs: 0 }));
      expectEqual(await store.tokens.rotate('ci', replacement, 0), null, 'an ended token');
      await store.tokens.create(newToken({ id: 't3', name: 'now' }));
      const next = await rotated(store, 'now', 't4', 0);
      const { endsAt, remainingMs } = await tokenOf(store, 't3');
      expect((endsAt ?? Infinity) <= next.createdAt, 'a token without overlap did not end at once');
      expect((remainingMs ?? Infinity) <= 0, `the ended token has ${remainingMs} ms`);
    },
  },
  {
    id: 'token-use-recorded',
    parts: ['tokens'],
    title: 'records the use of a token at most once per interval',
    run: async ({ open }) => {
      const store = await open();
      await store.tokens.create(newToken());
      await store.tokens.recordUse('t1', hourMs);
      const { lastUsedAt, createdAt } = await tokenOf(store, 't1');
      expect(lastUsedAt !== null && lastUsedAt >= createdAt, 'the use was not recorded');
      await store.tokens.recordUse('t1', hourMs);
      expectEqual((await tokenOf(store, 't1')).lastUsedAt, lastUsedAt, 'within the interval');
      await pollUntil(async () => {
        await store.tokens.recordUse('t1', 0);
        const latest = (await tokenOf(store, 't1')).lastUsedAt ?? 0;
        return latest > lastUsedAt ? latest : null;
      }, 'a later use');
      await store.tokens.recordUse('gone', 0);
    },
  },
  {
    id: 'tokens-of-a-namespace',
    parts: ['tokens'],
    title: 'keeps the tokens of namespaces apart',
    run: async ({ open }) => {
      const [store, other] = [await open(), await open('other')];
      await store.tokens.create(newToken());
      await other.tokens.create(newToken({ rights: 'admin' }));
      expectEqual((await tokenOf(store, 't1')).rights, 'read', 'the token of the first');
      expectEqual(await other.tokens.revoke('ci'), ['t1'], 'revoking in the other');
      expectEqual((await store.tokens.list()).length, 1, 'tokens of the first');
    },
  },
];

function newToken(changes: Partial<NewToken> = {}): NewToken {
  const { id = 't1' } = changes;
  return {
    id,
    name: 'ci',
    hash: `hash of ${id}`,
    rights: 'read',
    paths: null,
    lifetimeMs: null,
    ...changes,
  };
}

async function tokenOf({ tokens }: MetadataStore, id: string): Promise<StoredToken> {
  const found = await tokens.get(id);
  expect(found !== null, `the token ${id} is missing`);
  return found;
}

async function rotated(
  { tokens }: MetadataStore,
  name: string,
  id: string,
  overlapMs: number,
): Promise<TokenRecord> {
  const next = await tokens.rotate(name, { id, hash: 'new' }, overlapMs);
  expect(next !== null, `the token ${name} was not rotated`);
  return next;
}
