import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { matchOf } from './support/samples.js';
import { runTrove } from './support/trove.js';

const test = suite('output of grep');

test('prints path, line and text, and exits with 1 without a match', async () => {
  await using home = await temporaryHome();
  const results = [
    matchOf({ source: 'file://local/data/a%20b.ts', content: 'x TODO' }),
    matchOf({ source: 'db://t', locator: { id: 1 }, content: 'TODO', match: null }),
    matchOf({ source: null, content: 'skipped 2 binary files', via: 'notice' }),
  ];
  await using api = await startApi({
    'GET /v1/grep': ({ query }) =>
      query['pattern'] === 'TODO'
        ? { results, truncated: true, next: 'more' }
        : { results: [], truncated: false, next: null },
  });
  const args = ['grep', 'TODO', '--limit', '2', '--endpoint', api.endpoint];
  const found = await runTrove(args, { home: home.path });
  assert.is(found.code, 0);
  assert.is(found.stdout, '/data/a b.ts:3:x TODO\ndb://t:{"id":1}:TODO\n');
  assert.match(found.stderr, 'note: skipped 2 binary files');
  assert.match(found.stderr, 'note: there are more matches');
  const none = await runTrove(
    ['grep', '-Ei', '-C', '2', '-m', '5', 'no+', '.', '--endpoint', api.endpoint],
    {
      home: home.path,
    },
  );
  assert.is(none.code, 1);
  assert.is(none.stdout, '');
  assert.equal(api.received[1]?.query, {
    pattern: 'no+',
    path: home.path,
    regex: 'true',
    ignore_case: 'true',
    context: '2',
    max_per_object: '5',
    limit: '1000',
  });
});

test('distinguishes lines of context from matches', async () => {
  await using home = await temporaryHome();
  const content = 'one\nTwo\nthree';
  const around = (line: number, text = content) =>
    matchOf({
      content: text,
      locator: { lines: [line - 1, line + 1] },
      match: { lines: [line, line], column: 1 },
    });
  const results = [around(9), around(21), around(22, 'Two\nthree two\nfour'), around(25)];
  await using api = await startApi({
    'GET /v1/grep': () => ({ results, truncated: false, next: null }),
  });
  const args = ['grep', '-i', 'two', '-C1', '--endpoint', api.endpoint];
  const { stdout } = await runTrove(args, { home: home.path });
  assert.is(
    stdout,
    '/d/a-8-one\n/d/a:9:Two\n/d/a-10-three\n--\n/d/a-20-one\n/d/a:21:Two\n' +
      '/d/a:22:three two\n/d/a-23-four\n/d/a-24-one\n/d/a:25:Two\n/d/a-26-three\n',
  );
  const after = await runTrove(['grep', 'two', '-A1', '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(
    after.stdout,
    '/d/a:9:Two\n/d/a-10-three\n--\n/d/a:21:Two\n/d/a:22:three two\n/d/a-23-four\n--\n' +
      '/d/a:25:Two\n/d/a-26-three\n',
  );
});

test.run();
