import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trove } from 'trove';
import { call, envelope, withHost } from './support/server.js';

const test = suite('clients of the original');

test('the document names the address of the request', () =>
  withHost({}, async (host) => {
    const { body } = await call(host, '/openapi.json');
    assert.equal((body as { servers: unknown }).servers, [{ url: host.url }]);
  }));

test('query booleans have four spellings in any case', async () => {
  const seen: unknown[] = [];
  const methods: Partial<Trove> = {
    search: async ({ collapse }) => {
      seen.push(collapse);
      return { results: [] };
    },
  };
  await withHost(methods, async (host) => {
    for (const text of ['TRUE', 'Yes', 'on', '1', 'False', 'NO', 'oFf', '0'])
      assert.is((await call(host, `/v1/search?q=x&collapse=${text}`)).status, 200, text);
  });
  assert.equal(seen, [true, true, true, true, false, false, false, false]);
});

test('a call that ends before its job returns the location of the job', () => {
  const error = new TroveError('timed_out', 'It took too long', { jobId: 'job/1' });
  return withHost({ add: () => Promise.reject(error) }, async (host) => {
    const answer = await call(host, '/v1/add', { method: 'POST', body: { target: '/a' } });
    assert.is(answer.status, 504);
    assert.is(answer.headers.get('location'), '/v1/jobs/job%2F1');
  });
});

test('every error has suggestions', () => {
  const error = new TroveError('connector_unhealthy', 'It is down', { suggestions: [] });
  return withHost({ add: () => Promise.reject(error) }, async (host) => {
    const answer = await call(host, '/v1/add', { method: 'POST', body: { target: '/a' } });
    assert.is(answer.status, 502);
    assert.is(envelope(answer).suggestions.length, 1);
  });
});

test.run();
