import { type Connector } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import {
  type FakeAnswer,
  type FakeService,
  startFakeService,
} from '@trove/connector-kit/http/fake';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { neverAborted, openSource, type Config } from './open.js';

const test = suite('hosts of web APIs');

const refused: FakeAnswer = { status: 401 };

/** Starts an API whose list continues at another address. */
function startApi(next: () => string): Promise<FakeService> {
  return startFakeService({
    answer: ({ path }) =>
      path === '/me' ? { json: {} } : { json: { items: [{ id: 1 }], next: next() } },
    rateLimited: () => refused,
    unauthorized: () => refused,
  });
}

function configFor({ origin }: FakeService, own: Config = {}): Config {
  const page = { by: 'next', from: 'next' };
  const items = { get: '/items', page, items: 'items', in: 'items', key: 'id' };
  return { base: origin, check: { get: '/me' }, streams: { items }, ...own };
}

async function readItems(connector: Connector): Promise<unknown> {
  return collect(connector.records?.('items', { signal: neverAborted() }));
}

async function withTwoHosts(
  use: (api: FakeService, other: FakeService, hostOfOther: string) => Promise<void>,
): Promise<void> {
  await using other = await startApi(() => '');
  const url = new URL(`${other.origin}/more`);
  await using api = await startApi(() => url.href);
  await use(api, other, url.host);
}

test('refuses a next page at another host', () =>
  withTwoHosts(async (api, other, host) => {
    const connector = await openSource(configFor(api, { hosts: [host] }));
    const error = await rejection(() => readItems(connector));
    assert.match(error.detail, 'names a next page of another host');
    assert.equal(other.exchanges, []);
    await connector.close?.();
  }));

test('requests the address of an item at a named host without the login', () =>
  withTwoHosts(async (api, other, host) => {
    const own = { auth: { bearer: 'token' }, secrets: { token: 'good' }, hosts: [host] };
    const connector = await openSource({ ...configFor(api, own), streams: childStreams });
    listItemAt(api, other);
    await readItems(connector);
    const [exchange] = other.exchanges;
    assert.is(exchange?.request.path, '/items');
    assert.is(exchange?.request.headers['authorization'], undefined);
    assert.is(api.exchanges[0]?.request.headers['authorization'], 'Bearer good');
    await connector.close?.();
  }));

test('refuses the address of an item at a host that the description does not name', () =>
  withTwoHosts(async (api, other, host) => {
    const connector = await openSource({ ...configFor(api), streams: childStreams });
    listItemAt(api, other);
    const error = await rejection(() => readItems(connector));
    assert.is(error.code, 'path_not_allowed');
    assert.match(error.suggestions.join(' '), `hosts = ["${host}"]`);
    assert.equal(other.exchanges, []);
    await connector.close?.();
  }));

/** The children of an item are at the address in the item. */
const childStreams = {
  items: { get: '/items', items: 'items' },
  children: { for: 'items', get: '{+url}', items: 'items', in: 'items', key: 'id' },
};

function listItemAt(api: FakeService, other: FakeService): void {
  api.addFault({
    matches: ({ path }) => path === '/items',
    apply: () => ({ json: { items: [{ id: 1, url: `${other.origin}/items` }] } }),
  });
}

test.run();
