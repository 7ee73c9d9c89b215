import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { Client } from 'pg';

const serverProgram = fileURLToPath(new URL('../programs/postgres-server.mjs', import.meta.url));

export interface TestPostgres {
  /** URL of the server without a database. */
  readonly url: string;
  /** Creates an empty database (UTF8 by default) and returns its URL. */
  createDatabase(encoding?: string): Promise<string>;
  /** Copies the database at a URL, which must have no connections, and returns the URL of the copy. */
  copyDatabase(url: string): Promise<string>;
  /**
   * Stops the server and removes its files. On a server that was already running, drops only the databases created
   * here.
   */
  stop(): Promise<void>;
}

/** Starts PostgreSQL for tests, or uses the server in TROVE_TEST_PG_URL. Stop it in an `after` hook. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['TROVE_TEST_PG_URL'];
  return given === undefined ? startOwnPostgres() : useRunning(given);
}

/** Starts a server without commits of other clients. */
export async function startOwnPostgres(): Promise<TestPostgres> {
  const { url, stop } = await runServer(serverProgram);
  return {
    url,
    createDatabase: (encoding) => createDatabase(url, inEncoding(encoding)),
    copyDatabase: (original) => createDatabase(url, like(original)),
    stop,
  };
}

/** Runs a program that prints its URL and ends with its standard input. */
export async function runServer(program: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  return {
    url: await firstLine(server, program),
    stop: async () => {
      server.stdin.end();
      await exited;
    },
  };
}

function useRunning(url: string): TestPostgres {
  const made: string[] = [];
  const create = async (how: string): Promise<string> => {
    const database = await createDatabase(url, how);
    made.push(database);
    return database;
  };
  return {
    url,
    createDatabase: (encoding) => create(inEncoding(encoding)),
    copyDatabase: (original) => create(like(original)),
    stop: async () => {
      for (const database of made) {
        const name = new URL(database).pathname.slice(1);
        await onServer(url, `drop database if exists "${name}" with (force)`);
      }
    },
  };
}

const inEncoding = (encoding = 'UTF8'): string =>
  `encoding '${encoding}' locale 'C' template template0`;

const like = (url: string): string => `template "${new URL(url).pathname.slice(1)}"`;

async function createDatabase(url: string, how: string): Promise<string> {
  const name = `trove_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(url, `create database "${name}" ${how}`);
  const database = new URL(url);
  database.pathname = `/${name}`;
  return database.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  const client = new Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function firstLine(
  server: ChildProcessByStdio<Writable, Readable, null>,
  program: string,
): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) return line;
  throw new Error(`A server for tests did not start: ${program}`);
}
