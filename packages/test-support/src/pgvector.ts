import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

import { runServer } from './postgres.js';

const serverProgram = fileURLToPath(new URL('../programs/pgvector-server.mjs', import.meta.url));

export interface TestPgvector {
  /** URL of the only database. */
  readonly url: string;
  /** Whether connections wait for each other, as they do without a real server. */
  readonly isSerial: boolean;
  /** Removes everything from the database. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with pgvector for tests, or uses the database in TROVE_TEST_PGVECTOR_URL and deletes all its
 * content. Stop it in an `after` hook.
 */
export async function startPgvector(): Promise<TestPgvector> {
  const given = process.env['TROVE_TEST_PGVECTOR_URL'];
  const { url, stop } =
    given === undefined
      ? await runServer(serverProgram)
      : { url: given, stop: async () => undefined };
  return { url, isSerial: given === undefined, empty: () => empty(url), stop };
}

async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('drop schema public cascade; create schema public');
  } finally {
    await client.end();
  }
}
