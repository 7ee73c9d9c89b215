import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  missingMembersFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { neverAborted, openNotion } from './source.js';
import { entriesOf, withNotion } from './with-notion.js';

const test = suite('faults of Notion');

test('requests no page twice under a rate limit', () =>
  withNotion(async ({ fake, connector }) => {
    for (let index = 0; index < 350; index++) fake.world.createPage({ title: `Page ${index}` });
    const isSecondPage = (cursor: unknown): boolean => typeof cursor === 'string';
    fake.service.addFault(
      rateLimitFault(fake.model, ({ body }) => isSecondPage(Object(body)['start_cursor']), 60_000),
    );
    let checkpoint: unknown;
    const seen = new Set<string>();
    const run = async (): Promise<void> => {
      for await (const item of connector.list({ signal: neverAborted(), resume: checkpoint }))
        if ('checkpoint' in item) ({ checkpoint } = item);
        else seen.add(item.path);
    };
    const error = await rejection(run);
    assert.is(error.retryable, true);
    assert.is(error.retryAfterMs, 60_000);
    const answered = (): string[] =>
      fake.service.exchanges
        .filter(({ request, status }) => status === 200 && request.path === '/v1/search')
        .map(({ request }) => JSON.stringify(request.body))
        .filter((body) => body.includes('"page"'));
    assert.is(answered().length, 1);
    // Another login is not paused, so the test need not wait.
    const other = await openNotion(
      fake,
      {},
      {
        credentials: {
          login: 'another login',
          get: () => Promise.resolve('token-1'),
          refresh: () => Promise.resolve('token-1'),
        },
      },
    );
    for await (const item of other.list({ signal: neverAborted(), resume: checkpoint }))
      if (!('checkpoint' in item)) seen.add(item.path);
    await other.close?.();
    assert.is(seen.size, 351);
    assert.is(new Set(answered()).size, answered().length);
    assert.is(answered().length, 4);
  }));

test('continues after a repeated page and an empty one', () =>
  withNotion(async ({ fake, connector }) => {
    for (let index = 0; index < 250; index++) fake.world.createPage({ title: `Page ${index}` });
    const isPages = ({ body }: { readonly body: unknown }): boolean =>
      JSON.stringify(body).includes('"value":"page"');
    fake.service.addFault(repeatedPageFault(isPages));
    assert.is((await entriesOf(connector)).length, 251);
    fake.service.addFault(emptyPageFault(isPages, (json) => ({ ...Object(json), results: [] })));
    assert.is((await entriesOf(connector)).length, 151);
  }));

test('fails when a page does not state whether there are more', () =>
  withNotion(async ({ fake, connector }) => {
    for (let index = 0; index < 150; index++) fake.world.createPage({ title: `Page ${index}` });
    const isPages = ({ body }: { readonly body: unknown }): boolean =>
      JSON.stringify(body).includes('"value":"page"');
    fake.service.addFault(missingMembersFault(isPages, ['has_more', 'next_cursor']));
    const error = await rejection(() => entriesOf(connector));
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.message, 'has no `has_more`');
  }));

test('starts over when the cursor of a page has become invalid', () =>
  withNotion(async ({ fake, connector }) => {
    const ids = Array.from(
      { length: 150 },
      (_, index) => fake.world.createPage({ title: `Page ${index}` }).id,
    );
    fake.service.addFault({
      matches: ({ body }) => JSON.stringify(body).includes('"value":"page"'),
      apply: async (_request, normal) => {
        const answer = await normal();
        fake.world.removePage(String(Object(answer.json)['next_cursor']));
        return answer;
      },
    });
    assert.is((await entriesOf(connector)).length, ids.length);
  }));

test('fails when the token is refused in the middle of a listing', () =>
  withNotion(async ({ fake, connector }) => {
    for (let index = 0; index < 150; index++) fake.world.createPage({ title: `Page ${index}` });
    fake.service.addFault(revokedTokenFault(fake.model, ({ path }) => path === '/v1/search', 3));
    const error = await rejection(() => entriesOf(connector));
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.message, 'API token is invalid');
  }));

test('checks the token, the capability and whether pages are shared', () =>
  withNotion(async ({ fake, connector }) => {
    const health = async (): Promise<string> => {
      const found = await connector.check?.({ signal: neverAborted() });
      return `${found?.ok} ${found?.detail}`;
    };
    assert.match(await health(), 'true No page is shared');
    fake.world.createPage({ title: 'Plan' });
    assert.match(await health(), 'true The integration can read pages.');
    fake.world.capabilities.delete('content');
    assert.match(await health(), /^false .*"Read content"/);
    fake.world.tokens.clear();
    assert.match(await health(), /^false .*API token is invalid/);
    assert.is((await rejection(() => entriesOf(connector))).code, 'connector_unhealthy');
  }));

test.run();
