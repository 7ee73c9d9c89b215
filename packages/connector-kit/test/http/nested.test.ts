import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Connector } from '@trove/core';
import { startFakeService } from '../../src/http/fake/index.js';
import { defineHttpConnector, type StreamDescription } from '../../src/http/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import { all, neverAborted, openConnector } from './open-desk.js';

const test = suite('items inside items of a web service');

/** Pages by the page that contains them. */
const tree: Readonly<Record<string, readonly string[]>> = {
  '': ['a', 'b'],
  a: ['a1', 'a2'],
  a1: ['a11'],
};

const pages: StreamDescription = {
  get: '/pages',
  items: 'pages',
  page: { by: 'cursor', from: 'next', send: 'query.page' },
  nested: { when: 'hasPages', send: { query: { parent: '{container.id}' } } },
  keep: ['id'],
  document: { path: '{id}.md', identity: 'id', fingerprint: 'id' },
  read: { get: '/pages/{id}', text: 'text' },
};

/** Opens a connector for the pages, one to a page of the listing. `log` gets the requested levels. */
async function withPages(
  use: (connector: Connector, log: readonly string[]) => Promise<void>,
  childrenOf: (id: string) => readonly string[] = (id) => tree[id] ?? [],
): Promise<void> {
  const log: string[] = [];
  const fail = () => ({ status: 500, json: {} });
  await using service = await startFakeService({
    unauthorized: fail,
    rateLimited: fail,
    answer: ({ path, query }) => {
      if (path !== '/pages') return { json: {} };
      const parent = query.get('parent') ?? '';
      const at = Number(query.get('page') ?? 0);
      log.push(`${parent} ${at}`);
      const ids = childrenOf(parent);
      const page = ids.slice(at, at + 1).map((id) => ({ id, hasPages: childrenOf(id).length > 0 }));
      return { json: { pages: page, ...(at + 1 < ids.length ? { next: at + 1 } : {}) } };
    },
  });
  const url = { type: 'string', description: 'The address.' } as const;
  const token = { type: 'string', description: 'A token.' } as const;
  const plugin = defineHttpConnector({
    keys: ['desk'],
    configSchema: { type: 'object', properties: { url, token } },
    base: '{config.url}',
    check: { get: '/me' },
    streams: { pages },
  });
  const connector = await openConnector(plugin, service);
  try {
    await use(connector, log);
  } finally {
    await connector.close?.();
  }
}

async function listedPaths(connector: Connector, resume?: unknown): Promise<string[]> {
  const items = await all(connector.list({ signal: neverAborted(), resume }));
  return items.flatMap((item) => ('path' in item ? item.path : [])).toSorted();
}

test('are listed at every level and on every page', () =>
  withPages(async (connector, log) => {
    const paths = ['a.md', 'a1.md', 'a11.md', 'a2.md', 'b.md'];
    assert.equal(await listedPaths(connector), paths);
    assert.equal([...log].toSorted(), [' 0', ' 1', 'a 0', 'a 1', 'a1 0']);
  }));

test('continue after each checkpoint', () =>
  withPages(async (connector) => {
    const items = await all(connector.list({ signal: neverAborted() }));
    for (const [at, item] of items.entries()) {
      if (!('checkpoint' in item)) continue;
      const resume: unknown = structuredClone(item.checkpoint);
      const rest = items.slice(at).flatMap((each) => ('path' in each ? each.path : []));
      assert.equal(await listedPaths(connector, resume), rest.toSorted());
    }
    assert.ok(items.some((item) => 'checkpoint' in item));
  }));

test('are explained once', () =>
  withPages(async (connector) => {
    const explained = await connector.explain?.({ cursor: undefined, signal: neverAborted() });
    const requests = explained?.requests.map(({ name, request, repeats }) => [
      name,
      new URL(request.replace('GET ', '')).search,
      repeats,
    ]);
    assert.equal(requests?.[2], [
      'pages, nested',
      '?parent={container.id}',
      'for each item with items',
    ]);
  }));

test('fail when they contain each other', () =>
  withPages(
    async (connector) => {
      const error = await rejection(() => listedPaths(connector));
      assert.match(error.message, 'contain each other more than 100 times');
    },
    () => ['a'],
  ));

test.run();
