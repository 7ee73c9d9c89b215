import { createServer, type Socket } from 'node:net';
import { storageError } from '@trove/core/database';
import knexOf from 'knex';
import { Client, Pool } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';

/* Faults that the drivers report without a code. These tests fail if the messages change. */

const test = suite('error messages of pg and knex');
const host = '127.0.0.1';
const place = { name: 'It', secrets: [] };

/** Runs with the port of a server that passes each connection to `serve`. */
async function withServer(
  serve: (socket: Socket) => void,
  run: (port: number) => Promise<void>,
): Promise<void> {
  await using server = await listen(createServer(serve));
  await run(server.port);
}

/** Returns the description of the error that `work` throws. */
async function said(work: () => Promise<unknown>): Promise<string> {
  const thrown: unknown = await work().then(
    () => 'nothing',
    (error: unknown) => error,
  );
  return storageError(thrown, place).detail;
}

const silent = (): void => undefined;
/** Ends the connection after the client's first message. */
const ending = (socket: Socket): void => void socket.once('data', () => socket.end());
/** Offers SCRAM and continues to its second step. */
function asking(socket: Socket): void {
  socket.once('data', () => {
    socket.write(authentication(10, 'SCRAM-SHA-256\0\0'));
    socket.once('data', () => socket.write(authentication(11, 'r=a,s=YQ==,i=4096')));
  });
}

function authentication(step: number, text: string): Buffer {
  const head = Buffer.alloc(9);
  head.write('R');
  head.writeInt32BE(8 + text.length, 1);
  head.writeInt32BE(step, 5);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
}

test('recognises a silent server', () =>
  withServer(silent, async (port) => {
    const options = { host, port, connectionTimeoutMillis: 50 };
    const client = new Client(options);
    assert.is(await said(() => client.connect()), 'It did not respond in time.');
    const pool = new Pool({ ...options, max: 1 });
    const both = [1, 2].map(() => said(() => pool.connect()));
    assert.equal(
      await Promise.all(both),
      both.map(() => 'It did not respond in time.'),
    );
    await pool.end();
  }));

test('recognises a pool without a free connection', () =>
  withServer(silent, async (port) => {
    const knex = knexOf({
      client: 'pg',
      connection: { host, port },
      acquireConnectionTimeout: 50,
      pool: { min: 0, max: 1 },
      log: { warn: silent },
    });
    assert.is(await said(() => knex.raw('select 1')), 'It did not respond in time.');
    void knex.destroy();
  }));

test('recognises a connection ended by the server', () =>
  withServer(ending, async (port) => {
    const client = new Client({ host, port });
    client.on('error', () => undefined);
    assert.is(await said(() => client.connect()), 'It ended the connection.');
    await client.end();
    assert.is(await said(() => client.query('select 1')), 'It ended the connection.');
  }));

test('recognises a server that requires a missing password', () =>
  withServer(asking, async (port) => {
    const client = new Client({ host, port, user: 'me', password: undefined });
    client.on('error', () => undefined);
    assert.is(await said(() => client.connect()), 'It refused the user or the password.');
  }));

test.run();
