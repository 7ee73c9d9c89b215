import { TroveError } from '@trove/core';
import type { PgSession } from './connections.js';

/** pgvector 0.7 introduced 16-bit vectors, and 0.8 introduced iterative scans behind filters. */
const minVersion = [0, 8] as const;

const installHint =
  'Let a superuser run `CREATE EXTENSION vector;` in that database, or set `[index].uri` to a database that has it.';

/**
 * Creates the extension `vector` in the database if it is missing. Returns the OID of its type. Throws `not_available`
 * with a remedy when that fails.
 */
export async function requireExtension(session: PgSession): Promise<number> {
  const installed = await installedVersion(session);
  if (installed === null) await create(session);
  const version = installed ?? (await installedVersion(session)) ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === minVersion[0] && minor < minVersion[1]) {
    throw new TroveError(
      'not_available',
      `The database has pgvector ${version}; Trove needs ${minVersion.join('.')} or later.`,
      {
        suggestions: [
          'Install a newer pgvector on the database server, and run `ALTER EXTENSION vector UPDATE;`.',
        ],
      },
    );
  }
  const [type] = await session.all("select 'vector'::regtype::oid::integer as oid");
  return Number(type?.['oid']);
}

async function installedVersion(session: PgSession): Promise<string | null> {
  const [row] = await session.all("select extversion from pg_extension where extname = 'vector'");
  return row === undefined ? null : String(row['extversion']);
}

async function create(session: PgSession): Promise<void> {
  const [offered] = await session.all(
    "select 1 from pg_available_extensions where name = 'vector'",
  );
  if (offered === undefined) {
    throw new TroveError('not_available', 'The database server does not have pgvector.', {
      suggestions: [
        'Install pgvector on the database server (package `postgresql-NN-pgvector`, or an image such as `pgvector/pgvector`).',
      ],
    });
  }
  try {
    await session.all('create extension vector');
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new TroveError(
      'not_available',
      'The database has no extension `vector`, and its user may not create it.',
      { suggestions: [installHint], cause: error },
    );
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501';
}
