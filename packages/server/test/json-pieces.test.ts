import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonPieces } from '../src/http/json-pieces.js';
import { call, withHost } from './support/server.js';

const test = suite('responses in pieces');

async function written(answer: unknown): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of jsonPieces(answer)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('equal the text of the whole response', async () => {
  const long = Array.from({ length: 5000 }, (_, n) => ({ n, text: `é "${n}" \u2028` }));
  for (const answer of [
    null,
    'text',
    7,
    [],
    {},
    { results: [] },
    { results: long, truncated: false, more: { list: long.slice(0, 3) }, none: undefined },
    long,
    [undefined, [1, [2]], null],
  ]) {
    assert.is(await written(answer), JSON.stringify(answer));
  }
});

test('let other requests run between them and arrive complete', async () => {
  const entry = { name: 'a', path: 'x'.repeat(500), reason: null };
  const entries = Array.from({ length: 20_000 }, () => entry);
  let turns = -1;
  const count = (): void => {
    turns++;
    if (turns < 1000) setImmediate(count);
  };
  const capabilities = { sync: {}, object: {} };
  const ls = (): Promise<never> => {
    count();
    return Promise.resolve({ entries, capabilities } as never);
  };
  await withHost({ ls }, async (host) => {
    const { body, headers } = await call(host, '/v1/ls?path=/x');
    assert.ok(turns > 100, `${turns} turns`);
    assert.equal(body, { entries, capabilities });
    const length = JSON.stringify(body).length;
    assert.is(headers.get('content-length'), String(length));
  });
});

test.run();
