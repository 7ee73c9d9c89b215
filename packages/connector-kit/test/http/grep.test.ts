import type { Connector, GrepItem, GrepRequest } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { all, neverAborted, requestsOf, withDesk } from './open-desk.js';

const test = suite('search inside web services');

const tickets: HttpDescription['streams'][string] = {
  get: '/link/tickets',
  page: 'link',
  in: 'tickets',
  key: 'id',
  record: { title: 'title', text: 'body' },
};
const searchable = { ...tickets, grep: { get: '/search', query: { q: '{pattern}' } } };

function search(connector: Connector, own: Partial<GrepRequest>): Promise<GrepItem[]> {
  const request: GrepRequest = {
    pattern: 'Body',
    regex: false,
    ignoreCase: false,
    context: 0,
    path: '',
    globs: [],
    excludedMediaTypes: [],
    onlyMatching: false,
    limit: 100,
    limitPerObject: 100,
    after: null,
    signal: neverAborted(),
    ...own,
  };
  return all(connector.grep?.(request));
}

test('finds records with the search of the service', () =>
  withDesk({ streams: { tickets: searchable } }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    desk.addTicket(6, 1).body = 'first line\nBODY in capitals';
    const found = await search(connector, {});
    assert.is(found.length, 5);
    assert.equal(found[0], { path: 'tickets', key: { id: 1 }, content: 'Body of ticket 1' });
    assert.is((await search(connector, { limit: 2 })).length, 2);
    assert.equal(await search(connector, { path: 'other' }), []);
    assert.equal(new Set(requestsOf(service)), new Set(['/search?q=Body']));
  }));

test('leaves the search to the engine if a stream has none', () =>
  withDesk(
    { streams: { tickets: searchable, others: { ...tickets, in: 'others' } } },
    async ({ connector }) => assert.is(connector.grep, undefined),
  ));

test.run();
