import { TroveError } from '@trove/core';
import {
  rightsLevels,
  type NewToken,
  type StoredToken,
  type TokenCatalog,
  type TokenRecord,
  type TokenReplacement,
} from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import { flag, number, numberOrNull, oneOf, text, textOrNull } from '../database/values.js';
import type { StoreScope } from './scope.js';

const columns = [
  'id',
  'name',
  'hash',
  'rights',
  'paths',
  'created_at',
  'last_used_at',
  'ends_at',
  'is_replaced',
];

export class SqlTokens implements TokenCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  create(token: NewToken): Promise<TokenRecord> {
    return create(this.#scope, token);
  }

  async get(id: string): Promise<StoredToken | null> {
    const { db, namespace } = this.#scope;
    const [row] = await db.all(
      `select ${columns.join(', ')}, ends_at - ${db.dialect.now} as remaining_ms
        from trove_tokens where namespace = :namespace and id = :id`,
      { namespace, id },
    );
    if (row === undefined) return null;
    return { ...tokenOf(row), remainingMs: numberOrNull(row, 'remaining_ms') };
  }

  async list(): Promise<TokenRecord[]> {
    const { db, namespace } = this.#scope;
    const found = db.table('trove_tokens').select(columns).where({ namespace });
    // A rotation replaces the older token even if both have the same time.
    const order = [
      { column: 'name' },
      { column: 'is_replaced', order: 'desc' },
      { column: 'created_at' },
    ];
    return (await db.all(found.orderBy(order))).map(tokenOf);
  }

  rotate(
    name: string,
    replacement: TokenReplacement,
    overlapMs: number,
  ): Promise<TokenRecord | null> {
    return rotate(this.#scope, name, replacement, Math.round(overlapMs));
  }

  revoke(name: string): Promise<string[]> {
    const { db, namespace } = this.#scope;
    // A power cut afterwards must not restore the token.
    return db.write(
      async (session) => {
        const rows = await session.all(
          'delete from trove_tokens where namespace = :namespace and name = :name returning id',
          { namespace, name },
        );
        return rows.map((row) => text(row, 'id'));
      },
      { durable: true },
    );
  }

  recordUse(id: string, intervalMs: number): Promise<void> {
    const { db, namespace } = this.#scope;
    const { now } = db.dialect;
    return db.write((session) =>
      session.run(
        `update trove_tokens set last_used_at = ${now}
          where namespace = :namespace and id = :id
            and (last_used_at is null or last_used_at <= ${now} - :intervalMs)`,
        { namespace, id, intervalMs: Math.round(intervalMs) },
      ),
    );
  }
}

async function create(
  { db, namespace }: StoreScope,
  { id, name, hash, rights, paths, lifetimeMs }: NewToken,
): Promise<TokenRecord> {
  const { now } = db.dialect;
  return db.write(
    async (session) => {
      await session.run(
        `delete from trove_tokens where namespace = :namespace and name = :name and ends_at <= ${now}`,
        { namespace, name },
      );
      const token = { id, name, hash, rights, paths, lifetimeMs };
      const created = await insert(session, { namespace, now }, token);
      if (created === null) throw new TroveError('token_exists', `A token named ${name} exists.`);
      return created;
    },
    { durable: true },
  );
}

async function rotate(
  { db, namespace }: StoreScope,
  name: string,
  { id, hash }: TokenReplacement,
  overlapMs: number,
): Promise<TokenRecord | null> {
  const { now, lock } = db.dialect;
  const replaceNewest = async (session: StoreSession): Promise<TokenRecord | null> => {
    const [newest] = await session.all(
      `select ${columns.join(', ')} from trove_tokens
        where namespace = :namespace and name = :name and is_replaced = 0
          and (ends_at is null or ends_at > ${now}) ${lock}`,
      { namespace, name },
    );
    if (newest === undefined) return null;
    const { id: replaced, rights, paths, createdAt, endsAt } = tokenOf(newest);
    await session.run(
      `update trove_tokens set is_replaced = 1,
          ends_at = case when ends_at < ${now} + :overlapMs then ends_at else ${now} + :overlapMs end
        where namespace = :namespace and id = :replaced`,
      { namespace, replaced, overlapMs },
    );
    const lifetimeMs = endsAt === null ? null : endsAt - createdAt;
    return insert(session, { namespace, now }, { id, name, hash, rights, paths, lifetimeMs });
  };
  return db.write(replaceNewest, { durable: true });
}

/** Reads the clock once, so the lifetime is exact. Returns null if the name or the id is taken. */
async function insert(
  session: StoreSession,
  { namespace, now }: { readonly namespace: string; readonly now: string },
  { id, name, hash, rights, paths, lifetimeMs }: NewToken,
): Promise<TokenRecord | null> {
  const endsAt = lifetimeMs === null ? 'null' : `clock.at + ${Math.round(lifetimeMs)}`;
  const [row] = await session.all(
    `insert into trove_tokens (namespace, id, name, hash, rights, paths, created_at, ends_at)
      select :namespace, :id, :name, :hash, :rights, :paths, clock.at, ${endsAt}
        from (select ${now} as at) clock where true
      on conflict do nothing returning ${columns.join(', ')}`,
    { namespace, id, name, hash, rights, paths: paths === null ? null : JSON.stringify(paths) },
  );
  return row === undefined ? null : tokenOf(row);
}

function tokenOf(row: Row): TokenRecord {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    hash: text(row, 'hash'),
    rights: oneOf(row, 'rights', rightsLevels),
    paths: pathsOf(textOrNull(row, 'paths')),
    createdAt: number(row, 'created_at'),
    lastUsedAt: numberOrNull(row, 'last_used_at'),
    endsAt: numberOrNull(row, 'ends_at'),
    isReplaced: flag(row, 'is_replaced'),
  };
}

/** A damaged list must not become null, which means all paths. */
function pathsOf(json: string | null): string[] | null {
  if (json === null) return null;
  const paths: unknown = JSON.parse(json);
  return Array.isArray(paths) ? paths.map(String) : [];
}
