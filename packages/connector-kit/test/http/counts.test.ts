import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startHttpFake, type HttpFake } from '../../src/http/fake/index.js';
import { changesSince, deskPlugin, neverAborted } from './open-desk.js';

const test = suite('counts of objects of a web service');
const dayMs = 86_400_000;

/** Projects with tickets. A ticket states the number of its comments. */
const plugin = deskPlugin({
  objects: { project: { for: 'projects', path: '{name}', identity: 'id', countEvery: '1d' } },
  streams: {
    projects: { get: '/projects', items: 'projects', keep: ['id', 'name'] },
    tickets: {
      for: 'projects',
      get: '/projects/{projects.id}/tickets',
      items: 'tickets',
      keep: ['id'],
      in: 'project',
      key: 'id',
      record: { title: 'title', at: 'updated' },
      keysOnly: { query: { fields: 'id' } },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
    },
    comments: {
      for: 'tickets',
      when: 'comments',
      count: 'comments',
      get: '/projects/{projects.id}/tickets/{tickets.id}/comments',
      items: 'comments',
      in: 'project',
      key: 'id',
      record: { text: 'text' },
    },
  },
});

async function withProjects(
  use: (fake: HttpFake, connector: Connector) => Promise<void>,
): Promise<void> {
  await using fake = await startHttpFake(plugin, {
    config: (url) => ({ url, token: 'good' }),
    pageSize: 10,
  });
  const connector = await plugin.create(
    connectorContext({
      target: fake.target,
      http: connectorHttp(),
      config: configFor(plugin, fake.config),
    }),
  );
  fake.put('projects', { id: 'p1', name: 'sea' });
  fake.put('projects', { id: 'p2', name: 'sea' });
  const updated = Date.now() - dayMs;
  for (const id of [1, 2, 3])
    fake.put('tickets', { id, comments: id === 1 ? 2 : 0, updated }, { projects: 'p1' });
  fake.put('tickets', { id: 4, comments: 0, updated }, { projects: 'p2' });
  try {
    await use(fake, connector);
  } finally {
    await connector.close?.();
  }
}

/** Returns a cursor that was last counted two days before. */
function due(cursor: unknown): unknown {
  return { ...Object(cursor), counted: { project: Date.now() - 2 * dayMs } };
}

test('counts the records of each object, and takes the numbers of children from their parents', () =>
  withProjects(async (fake, connector) => {
    const { cursor } = await changesSince(connector, undefined);
    fake.delete('tickets', 2);
    fake.delete('tickets', 4);
    assert.equal((await changesSince(connector, cursor)).changes, [], 'not due');
    fake.forget();
    const { changes, cursor: next } = await changesSince(connector, due(cursor));
    const facts = { records: [], removedKeys: [] };
    assert.equal(changes, [
      { path: 'sea', ...facts, total: 4 },
      { path: 'sea ~p2', ...facts, total: 0 },
    ]);
    const requests = fake.exchanges.map(
      ({ request }) => `${request.path}?${request.query.toString()}`,
    );
    assert.equal(
      requests.filter((request) => request.endsWith('fields=id')),
      ['/projects/p1/tickets?fields=id', '/projects/p2/tickets?fields=id'],
    );
    assert.not.ok(requests.some((request) => request.includes('/comments')));
    assert.equal((await changesSince(connector, next)).changes, [], 'counted');
  }));

test('drops the count of an object if a parent states no number', () =>
  withProjects(async (fake, connector) => {
    const { cursor } = await changesSince(connector, undefined);
    const isCount = (path: string, fields: string | null): boolean =>
      path === '/projects/p1/tickets' && fields === 'id';
    fake.addFault({
      matches: ({ path, query }) => isCount(path, query.get('fields')),
      apply: () => ({ json: { tickets: [{ id: 1, comments: 'many' }] } }),
    });
    const { changes } = await changesSince(connector, due(cursor));
    assert.equal(
      changes.map((change) => ('path' in change ? change.path : change)),
      ['sea ~p2'],
    );
  }));

test('explains the count without the children', () =>
  withProjects(async (_fake, connector) => {
    const { cursor } = await changesSince(connector, undefined);
    const explained = await connector.explain?.({ cursor: due(cursor), signal: neverAborted() });
    assert.equal(
      explained?.requests.map(({ name }) => name),
      ['check', 'projects', 'tickets, count', 'tickets', 'comments'],
    );
  }));

test.run();
