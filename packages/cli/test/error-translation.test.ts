import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { fail, startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('translation of API errors');

test('names options, commands and paths, but keeps API names in JSON', async () => {
  await using home = await temporaryHome();
  const bad = (detail: string, ...hints: string[]) => fail(422, 'validation_error', detail, hints);
  const seeDocument =
    'Correct the field that the detail names. /openapi.json describes each request.';
  await using api = await startApi({
    'GET /v1/search': () => bad('query.top_k: must be >= 1', seeDocument),
    'GET /v1/head': () => bad('query.n: must be >= 1', seeDocument),
    'POST /query': () => bad('body.passage_top_k: must be <= 50'),
    'GET /v1/jobs': () => bad('query.odd: is not known'),
    'GET /v1/cat': () => bad('range, locator and meta: at most one of them', seeDocument),
    'GET /v1/grep': () => bad('pattern: a group is not closed', 'Search without `regex`.'),
    'GET /v1/ls': () =>
      fail(404, 'not_found', 'There is nothing at file://local/d/a%20b: look', [
        'List it with `ls`; `status` has the sources, `slack` has none.',
      ]),
    'POST /v1/add': () =>
      fail(409, 'connector_already_registered', 'file://local/d is registered', [
        'Pass `update` to replace its configuration; `mode=keyword` is no option.',
      ]),
  });
  let code: number | null = 0;
  const errors = async (...args: string[]) => {
    const ended = await runTrove([...args, '--endpoint', api.endpoint], { home: home.path });
    ({ code } = ended);
    return ended.stderr;
  };
  const seeHelp = (command: string) => `hint: \`trove ${command} --help\` shows the usage.\n`;
  assert.is(
    await errors('search', 'x', '-k', '0'),
    `error: --top-k: must be >= 1\n${seeHelp('search')}`,
  );
  assert.is(code, 2);
  assert.is(
    await errors('head', 'a', '-n', '0'),
    `error: --lines: must be >= 1\n${seeHelp('head')}`,
  );
  assert.is(
    await errors('cat', 'a', '--meta', '-r', '1:2'),
    `error: --range, --locator and --meta: at most one of them\n${seeHelp('cat')}`,
  );
  assert.is(code, 2);
  assert.is(await errors('graph', 'query', 'x', '-k', '99'), 'error: --top-k: must be <= 50\n');
  assert.is(code, 2);
  await errors('job', 'list');
  assert.is(code, 1, 'nothing that was typed');
  assert.is(
    await errors('grep', '-E', '('),
    'error: PATTERN: a group is not closed\nhint: Search without `--regex`.\n',
  );
  assert.is(
    await errors('ls', 'a b'),
    'error: There is nothing at /d/a b: look\n' +
      'hint: List it with `trove ls`; `trove status` has the sources, `slack` has none.\n',
  );
  assert.is(code, 1);
  assert.is(
    await errors('add', '/d'),
    'error: /d is registered\n' +
      'hint: Pass `--update` to replace its configuration; `mode=keyword` is no option.\n',
  );
  const json = JSON.parse(await errors('search', 'x', '-k', '0', '--json'));
  assert.is(json.detail, 'query.top_k: must be >= 1');
  assert.is(code, 2);
  assert.equal(json.suggestions, [seeDocument]);
});

test('does not show configuration keys as options of the same name', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'POST /v1/add': () =>
      fail(400, 'config_invalid', 'body.config.endpoint_url: is not known', ['Write `endpoint`.']),
  });
  const args = ['add', 's3://docs', '--endpoint', api.endpoint];
  const { stderr } = await runTrove(args, { home: home.path });
  assert.is(stderr, 'error: config.endpoint_url: is not known\nhint: Write `endpoint`.\n');
});

test.run();
