import { isCheckpoint, type SourceRecord } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  emptyPageFault,
  type Fault,
  missingMembersFault,
  rateLimitFault,
  repeatedPageFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import {
  changesSince,
  keyText,
  neverAborted,
  recordsAt,
  requestsOf,
  syncAll,
  withJira,
  type OpenJira,
} from './support.js';

const test = suite('jira connector, faults');
const isSearch: Fault['matches'] = ({ path }) => path.endsWith('/search/jql');
const isProjects: Fault['matches'] = ({ path }) => path.endsWith('/project/search');
const never: Fault['matches'] = () => true;

function fill({ world }: OpenJira, count: number): void {
  for (let number = 1; number <= count; number++) world.create({ summary: `Issue ${number}` });
}

test('fails the check with a wrong token and names the missing login', () =>
  withJira(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'Jira does not accept the login');
    },
    { config: { api_token: 'wrong' } },
  ));

test('names the account in the check', () =>
  withJira(async ({ connector }) => {
    const health = await connector.check?.({ signal: neverAborted });
    assert.equal(health, { ok: true, detail: 'Connected as Ann Archer.' });
  }));

test('names the missing scopes of a token', () =>
  withJira(async ({ connector, service }) => {
    const json = { code: 401, message: 'Unauthorized; scope does not match' };
    service.addFault({ matches: never, apply: () => ({ status: 401, json }) });
    const health = await connector.check?.({ signal: neverAborted });
    assert.match(health?.detail ?? '', '`read:jira-work`');
  }));

for (const tellsFailedLogin of [true, false]) {
  const how = tellsFailedLogin ? 'that a header tells' : 'that nothing tells';

  test(`fails at any moment of a revocation ${how}`, () =>
    withJira(async (open) => {
      const { connector, world, service } = open;
      world.tellsFailedLogin = tellsFailedLogin;
      fill(open, 3);
      world.attach('TRV-1', 'log.txt', 'boom');
      world.advance(3_600_000);
      const { cursor } = await syncAll(connector);
      world.advance(3_600_000);
      for (let number = 1; number <= 30; number++) world.comment('TRV-3', `Comment ${number}`);
      const works: readonly (() => Promise<unknown>)[] = [
        () => collect(connector.list({ signal: neverAborted })),
        () => changesSince(connector, undefined),
        () => changesSince(connector, cursor),
        () => recordsAt(connector, 'TRV/issues'),
      ];
      for (const work of works) {
        service.forget();
        await work();
        const requests = service.exchanges.length;
        for (let after = 0; after < requests; after++) {
          service.addFault({
            matches: never,
            after,
            apply: (_request, normal) => {
              world.tokens.clear();
              return normal();
            },
          });
          const error = await rejection(work);
          assert.match(
            error.message,
            /Jira|login/,
            `revoked after ${after} of ${requests} requests`,
          );
          world.tokens.add('token-1');
        }
      }
    }));
}

test('keeps the stored comments of an issue that answers 404', () =>
  withJira(async (open) => {
    const { connector, world, service } = open;
    world.maxEmbeddedComments = 1;
    fill(open, 1);
    world.advance(3_600_000);
    const { cursor } = await syncAll(connector);
    world.advance(3_600_000);
    world.comment('TRV-1', 'One');
    world.comment('TRV-1', 'Two');
    service.addFault({
      matches: ({ path }) => path.endsWith('/comment'),
      apply: () => ({ status: 404, json: { errorMessages: ['gone'], errors: {} } }),
    });
    const warnings: string[] = [];
    const { changes } = await changesSince(connector, cursor, (sentence) =>
      warnings.push(sentence),
    );
    assert.is(
      changes.some((change) => 'complete' in change),
      false,
    );
    assert.equal(warnings, ['The comments of a deleted issue are left out.']);
  }));

test('fails if the login sees no project', () =>
  withJira(async ({ connector, world }) => {
    world.hiddenProjects.add('TRV');
    const error = await rejection(() => collect(connector.list({ signal: neverAborted })));
    assert.match(error.message, 'Browse Projects');
  }));

test('quotes the problem of a query', () =>
  withJira(
    async ({ connector }) => {
      const error = await rejection(() => recordsAt(connector, 'TRV/issues'));
      assert.match(error.message, "'unknown = 1' is not supported");
    },
    { config: { jql: 'unknown = 1' } },
  ));

test('continues after a rate limit without requesting a page twice', () =>
  withJira(async (open) => {
    const { connector, service, model } = open;
    fill(open, 450);
    const found: string[] = [];
    for (let resume: unknown, isDone = false; !isDone;) {
      service.addFault(rateLimitFault(model, isSearch, 50));
      isDone = true;
      const options = { signal: neverAborted, resume };
      for await (const item of connector.records?.('TRV/issues', options) ?? []) {
        if (!isCheckpoint(item)) found.push(keyText(item.key));
        else {
          resume = structuredClone(item.checkpoint);
          isDone = false;
          break;
        }
      }
    }
    assert.is(new Set(found).size, 450);
    assert.is(found.length, 450);
    const served = service.exchanges.filter(
      ({ status, request }) => status === 200 && isSearch(request),
    );
    const pages = served.map(({ request }) => request.query.toString());
    assert.is(new Set(pages).size, pages.length);
    assert.is(
      service.exchanges.some(({ status }) => status === 429),
      true,
    );
  }));

const failures: readonly (readonly [string, () => Fault, RegExp])[] = [
  [
    'a search that does not state its end',
    () => missingMembersFault(isSearch, ['isLast', 'nextPageToken']),
    /states neither the end of the search nor a next page/,
  ],
  ['a search without a list', () => missingMembersFault(isSearch, ['issues']), /is not a list/],
  ['an error page', () => ({ ...serverErrorFault(isSearch), times: Infinity }), /502/],
  ['a truncated answer', () => truncatedFault(isSearch), /JSON/],
];
for (const [name, fault, message] of failures)
  test(`fails with ${name} instead of losing issues`, () =>
    withJira(async (open) => {
      fill(open, 350);
      await collect(open.connector.list({ signal: neverAborted }));
      open.service.addFault(fault());
      const error = await rejection(() => recordsAt(open.connector, 'TRV/issues'));
      assert.match(error.message, message);
    }));

test('fails with a list of projects that does not state its end', () =>
  withJira(async ({ connector, service }) => {
    service.addFault(missingMembersFault(isProjects, ['isLast']));
    const error = await rejection(() => collect(connector.list({ signal: neverAborted })));
    assert.match(error.message, 'has no `isLast`');
  }));

test('reads on after an empty page and after a repeated page', async () => {
  const faults = [
    emptyPageFault(isSearch, (body) => ({ ...Object(body), issues: [] })),
    repeatedPageFault(isSearch),
  ];
  const counts: number[] = [];
  for (const fault of faults)
    await withJira(async (open) => {
      fill(open, 250);
      await collect(open.connector.list({ signal: neverAborted }));
      open.service.addFault(fault);
      counts.push((await recordsAt(open.connector, 'TRV/issues')).length);
    });
  assert.equal(counts, [150, 250]);
});

test('starts a listing over when the token of a page has expired', () =>
  withJira(async (open) => {
    const { connector, world, service } = open;
    fill(open, 150);
    await collect(connector.list({ signal: neverAborted }));
    service.addFault({
      matches: ({ path, query }) => path.endsWith('/search/jql') && query.has('nextPageToken'),
      apply: (_request, normal) => {
        world.expireTokens();
        return normal();
      },
    });
    const records: SourceRecord[] = await recordsAt(connector, 'TRV/issues');
    assert.is(records.length, 150);
    assert.is(requestsOf(open).filter((path) => path === '/search/jql').length, 1 + 2 + 2);
  }));

test('finds the projects of all pages', () =>
  withJira(async ({ connector, world, service }) => {
    for (let number = 1; number <= 120; number++) world.addProject(`P${number}`, `P ${number}`);
    service.addFault(truncatedFault(isSearch));
    service.addFault(repeatedPageFault(isProjects));
    const paths: string[] = [];
    const error = await rejection(async () => {
      for await (const item of connector.list({ signal: neverAborted }))
        if (!isCheckpoint(item)) paths.push(item.path);
    });
    assert.match(error.message, 'JSON');
    assert.is(new Set(paths).size, 121);
  }));

test.run();
