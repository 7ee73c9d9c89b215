import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { buildRequest, changePage, mergeRequests } from '../../src/http/request.js';
import { rootScope } from '../../src/http/scope.js';

const test = suite('combined requests of web services');

test('a `get` that replaces a `post` has no body of the `post`', () => {
  const list = { post: '/search', body: { filter: 'open' }, form: { a: '1' }, query: { size: 10 } };
  const one = mergeRequests(list, { get: '/items/1' });
  assert.equal(one, { get: '/items/1', query: { size: 10 }, headers: {}, body: undefined });
});

test('a change without a method keeps the method and merges the bodies', () => {
  const list = { post: '/search', body: { filter: { state: 'open' }, size: 10 } };
  const keys = mergeRequests(list, { body: { filter: { fields: 'id' } } });
  assert.is(keys.post, '/search');
  assert.equal(keys.body, { filter: { state: 'open', fields: 'id' }, size: 10 });
});

test('a place names an item of a list by its number', () => {
  const body = { groups: [{ filters: [{ name: 'id', value: '0' }, { name: 'time' }] }], limit: 2 };
  const request = buildRequest(
    { post: '/search', body },
    'https://desk.example',
    rootScope({}, 'desk://a'),
  );
  const next = changePage(request, { values: { 'body.groups.0.filters.0.value': '7' } });
  const filters = [{ name: 'id', value: '7' }, { name: 'time' }];
  assert.equal(next.body, { groups: [{ filters }], limit: 2 });
});

test('a name of dots does not lead to another path', () => {
  const url = (get: string, id: string): string => {
    const scope = { ...rootScope({}, 'desk://a'), values: { id } };
    return buildRequest({ get }, 'https://desk.example/v1', scope).url.href;
  };
  for (const id of ['.', '..'])
    for (const get of ['/items/{id}', '/items/{id}/notes', '/files/{+id}?all=1'])
      assert.throws(() => url(get, id), /a name of dots/);
  assert.throws(() => url('/files/{+id}', 'a/../../b'), /a name of dots/);
  assert.throws(() => url('/items/%2E%2e/notes', ''), /a name of dots/);
  assert.is(url('/items/{id}', '..a'), 'https://desk.example/v1/items/..a');
  assert.is(url('/items/{id}.json', '..'), 'https://desk.example/v1/items/...json');
  assert.is(url('/items?path=a/../b', ''), 'https://desk.example/v1/items?path=a/../b');
});

test.run();
