import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { fail, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('cat');

test('cat prints several objects below headers and reports unreadable ones', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/cat': ({ query: { path = '' } }) =>
      path.endsWith('gone')
        ? fail(404, 'not_found', `There is nothing at ${path}`)
        : { source: `file://local${path}`, content: `text of ${path.at(-1)}`, partial: false },
  });
  const cat = (...args: readonly string[]) =>
    runTrove(['cat', ...args, '--endpoint', api.endpoint], { home: home.path, cwd: home.path });
  const { code, stdout, stderr } = await cat('a', 'gone', 'b');
  assert.is(stdout, '==> a <==\ntext of a\n\n==> b <==\ntext of b\n');
  assert.match(stderr, `error: There is nothing at ${join(home.path, 'gone')}`);
  assert.is(code, 1);
  assert.is((await cat('a')).stdout, 'text of a');
  const json = JSON.parse((await cat('a', 'b', '--json')).stdout) as { content: string }[];
  assert.equal(
    json.map(({ content }) => content),
    ['text of a', 'text of b'],
  );
  assert.match((await cat('a', '')).stderr, 'PATH must not be blank');
});

test('cat sends numbers, context and the wish for the enclosing definition', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/cat': () => ({ source: 's', content: '', partial: false }),
  });
  const args = ['cat', 'a', '-r', '4:4', '-n', '-C', '3', '--enclosing'];
  await runTrove([...args, '--endpoint', api.endpoint], { home: home.path });
  assert.equal(api.received[0]?.query, {
    path: join(home.path, 'a'),
    range: '4:4',
    numbers: 'true',
    context: '3',
    enclosing: 'true',
  });
});

test('cat notes that no definition encloses the line', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/cat': ({ query }) => ({
      source: 's',
      content: 'a line\n',
      partial: false,
      enclosed: query['range'] === '4:4',
    }),
  });
  const cat = (range: string) =>
    runTrove(['cat', 'a', '-r', range, '--enclosing', '--endpoint', api.endpoint], {
      home: home.path,
    });
  assert.is((await cat('3:3')).stderr, 'note: no definition encloses the line\n');
  assert.is((await cat('4:4')).stderr, '');
});

test.run();
