import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { openSource, type Config } from './open.js';

const test = suite('descriptions of web APIs');

const streams = { items: { get: '/items', in: 'items', key: 'id' } };
const valid = { base: 'https://api.example.com', check: { get: '/me' }, streams };
const token = { token: 'env:STOCK_TOKEN' };

/** Returns the message about a description that `create` refuses. */
async function refusalOf(config: Config): Promise<string> {
  try {
    await openSource(config);
  } catch (error) {
    if (!isTroveError(error)) throw error;
    assert.is(error.code, 'config_invalid');
    return error.detail;
  }
  throw new Error('the description was accepted');
}

test('accepts a description without a login', async () => {
  const connector = await openSource(valid);
  assert.type(connector.records, 'function');
  await connector.close?.();
});

test('derives the methods and capabilities from the description of each source', async () => {
  const plain = await openSource(valid);
  assert.is(plain.grep, undefined);
  assert.is(plain.changes, undefined);
  assert.is(plain.read, undefined);
  assert.equal(plain.capabilities, { threads: false, keysOnly: false, costlyListing: false });
  const rich = await openSource({
    ...valid,
    streams: {
      items: {
        ...streams.items,
        grep: { get: '/search', query: { q: '{pattern}' } },
        keysOnly: { query: { fields: 'id' } },
        ofThread: { get: '/threads/{thread}' },
        incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '5m' },
      },
    },
  });
  assert.type(rich.grep, 'function');
  assert.type(rich.changes, 'function');
  assert.equal(rich.capabilities, { threads: true, keysOnly: true, costlyListing: false });
  await plain.close?.();
  await rich.close?.();
});

test('names the stream whose parts contradict each other', async () => {
  const detail = await refusalOf({ ...valid, streams: { items: { get: '/items', in: 'items' } } });
  assert.match(detail, '`streams.items` needs both `in` and `key` for records');
});

test('names an object of records that no stream has', async () => {
  const detail = await refusalOf({ ...valid, recordObjects: { item: { path: 'items' } } });
  assert.match(detail, "`recordObjects.item` has no stream with `in: 'item'`");
});

test('refuses a token in place of its name, without showing it', async () => {
  const detail = await refusalOf({ ...valid, secrets: token, auth: { bearer: 'xoxb-123' } });
  assert.match(detail, '`auth.bearer` must be the name of a secret in `[secrets]`. It has: token');
  assert.not.match(detail, 'xoxb');
});

test('refuses a login with a secret in plain text', async () => {
  const header = { name: 'X-Api-Key', value: 'abc-123' };
  const detail = await refusalOf({ ...valid, auth: { header } });
  assert.match(detail, '`auth.header.value` must contain a secret as `{secret.NAME}`');
  assert.not.match(detail, 'abc-123');
  const basic = { user: 'ann', password: '{secret.password}' };
  assert.match(
    await refusalOf({ ...valid, auth: { basic }, secrets: token }),
    '`auth.basic.password` names the secret `password`, which `[secrets]` lacks',
  );
});

test('refuses secrets outside the login', async () => {
  const places: readonly (readonly [Config, string])[] = [
    [{ headers: { Authorization: 'Bearer abc-123' } }, '`headers.Authorization`'],
    [{ check: { get: '/me', query: { api_key: 'abc-123' } } }, '`check.query.api_key`'],
    [{ headers: { 'X-Own': '{secret.token}' } }, '`headers.X-Own`'],
    [{ check: { get: '/me?key={config.secrets.token}' } }, '`check.get`'],
    [{ base: 'https://ann:abc-123@api.example.com' }, '`base`'],
  ];
  for (const [part, place] of places) {
    const detail = await refusalOf({ ...valid, secrets: { token: 'abc-123' }, ...part });
    assert.match(detail, `${place} `);
    assert.not.match(detail, 'abc-123');
  }
});

test('refuses a base that is not an address', async () => {
  for (const base of ['api.example.com', 'https://{target.authority}', 'ftp://example.com'])
    assert.match(await refusalOf({ ...valid, base }), '`base` must be an address such as');
});

test.run();
