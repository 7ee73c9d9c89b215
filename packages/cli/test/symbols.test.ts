import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('symbols');
const source = 'file://local/d/a.ts';
const definition = {
  source,
  lines: [3, 9],
  signature: 'function parse(',
  kind: 'function',
  language: 'typescript',
};

test('prints definitions, a blank line and the lines that use the name', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({
    'GET /v1/symbols': () => ({
      name: 'parse',
      definitions: [definition],
      references: [{ source, line: 12, text: '  parse();' }],
      truncated: true,
      next: 'x',
    }),
  });
  const args = ['symbols', 'parse()', 'sub', '--limit', '3', '-r', '7'];
  const { code, stdout, stderr } = await runTrove([...args, '--endpoint', api.endpoint], {
    home: home.path,
  });
  assert.is(stdout, '/d/a.ts:3:function parse(\n\n/d/a.ts:12:  parse();\n');
  assert.match(stderr, 'there are more');
  assert.is(code, 0);
  assert.equal(api.received[0]?.query, {
    name: 'parse()',
    path: join(home.path, 'sub'),
    limit: '3',
    references: '7',
  });
});

test('fails with 1 if the name is unknown', async () => {
  await using home = await temporaryHome();
  const answer = { name: 'parse', definitions: [], references: [], truncated: false, next: null };
  await using api = await startApi({ 'GET /v1/symbols': () => answer });
  const { code, stdout, stderr } = await runTrove(
    ['symbols', 'parse', '--endpoint', api.endpoint],
    {
      home: home.path,
    },
  );
  assert.equal([code, stdout], [1, '']);
  assert.match(stderr, 'Nothing found for parse');
});

test.run();
