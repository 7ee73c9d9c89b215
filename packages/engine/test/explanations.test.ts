import { defineConnector, type ChangesRequest, type SyncExplanation } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite('explanations of syncs');
const target = 'desk://acme';

/** A source whose connector explains a sync with the given function. */
function deskPlugin(explain?: (cursor: unknown, token: string) => unknown) {
  return defineConnector({
    keys: ['desk'],
    configSchema: {
      type: 'object',
      properties: { token: { type: 'string', writeOnly: true, description: 'A token.' } },
    },
    create: ({ config: { token = '' } }) => ({
      async *list() {},
      async *changes({ commit }: ChangesRequest) {
        yield { entry: { path: 'a.md', size: 5, modifiedAt: null, fingerprint: '1' } };
        commit({ page: 7 });
      },
      read: async () => ({ bytes: Buffer.from('apples') }),
      ...(explain === undefined
        ? {}
        : {
            explain: async ({ cursor }: { readonly cursor: unknown }) =>
              explain(cursor, token) as SyncExplanation,
          }),
    }),
  });
}

const explainCursor = (cursor: unknown, token: string): SyncExplanation => ({
  incremental: cursor !== undefined,
  requests: [{ name: 'tickets', request: `GET /tickets?after=${JSON.stringify(cursor)}#${token}` }],
});

test('explains a new source, then the sync from its last state', async () => {
  await using engine = await new World().open({ plugins: [deskPlugin(explainCursor)] });
  const fresh = await engine.explain({ target });
  assert.equal(fresh, {
    target,
    type: 'desk',
    incremental: false,
    requests: [
      {
        name: 'tickets',
        request: 'GET /tickets?after=undefined#',
        body: null,
        repeats: null,
        paged: false,
      },
    ],
  });
  assert.equal((await engine.status()).connectors, []);
  await sync(engine, { target });
  const later = await engine.explain({ target });
  assert.ok(later.incremental);
  assert.match(later.requests[0]?.request ?? '', '{"page":7}');
  assert.not((await engine.explain({ target, full: true })).incremental);
  // A sync with another configuration starts over.
  assert.not((await engine.explain({ target, config: { token: 'other' } })).incremental);
});

test('removes secrets from an explanation', async () => {
  await using engine = await new World().open({ plugins: [deskPlugin(explainCursor)] });
  const config = { token: 'open sesame' };
  const { requests } = await engine.explain({ target, config });
  assert.is(requests[0]?.request, 'GET /tickets?after=undefined#***');
});

test('refuses a connector that cannot explain, with alternatives', async () => {
  await using engine = await new World().open({ plugins: [deskPlugin()] });
  const { code, detail, suggestions } = await rejection(() => engine.explain({ target }));
  assert.equal(
    [code, detail],
    ['not_supported', 'The desk connector cannot tell the requests of a sync'],
  );
  assert.match(suggestions.join(' '), /`probe`.*`estimate`/);
});

test('reports an invalid explanation to the author of the connector', async () => {
  for (const [wrong, words] of [
    [undefined, 'it is not an object with `incremental` and `requests`'],
    [
      { incremental: true, requests: [{ name: 'a', request: 7 }] },
      '`requests[0]` is not an object',
    ],
    [{ incremental: true, requests: Array.from({ length: 1001 }) }, 'more than 1000 requests'],
  ] as const) {
    await using engine = await new World().open({ plugins: [deskPlugin(() => wrong)] });
    const { code, detail } = await rejection(() => engine.explain({ target }));
    assert.is(code, 'plugin_invalid');
    assert.ok(detail.includes(words), detail);
  }
});

test.run();
