import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runTrove } from './support/trove.js';

const test = suite('ask');

const answered = {
  question: 'When are tokens rotated?',
  answer: 'Every night. [1] By hand too. [2]',
  found: true,
  model: 'rules',
  notice: null,
  citations: [
    {
      id: 1,
      source: 'file://local/data/a%20b.md',
      locator: { lines: [12, 14] },
      quote: 'every night',
      verified: true,
    },
    { id: 2, source: 'db://t', locator: { id: 7 }, quote: 'by hand', verified: true },
  ],
  passages: [],
};
const unanswered = {
  ...answered,
  answer: 'Not found',
  found: false,
  citations: [],
  notice: 'The search was for “token”.',
};

test('prints the answer and the lines of its citations', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'POST /v1/ask': () => answered });
  const at = ['--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runTrove(
    ['ask', 'When are tokens rotated?', '.', '-k', '3', '-t', 'md', '-g', '!drafts', ...at],
    { home: home.path },
  );
  assert.is(code, 0);
  assert.is(stderr, '');
  assert.is(
    stdout,
    'Every night. [1] By hand too. [2]\n\n[1] /data/a b.md:12-14\n[2] db://t:{"id":7}\n',
  );
  assert.equal(api.received.at(-1)?.body, {
    question: 'When are tokens rotated?',
    path: home.path,
    max_passages: 3,
    type: 'md',
    glob: '!drafts',
  });
  const json = await runTrove(['ask', 'x', '--json', ...at], { home: home.path });
  assert.is(json.code, 0);
  assert.equal(JSON.parse(json.stdout).citations, answered.citations);
});

test('exits with 1 and prints no answer if none was found', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'POST /v1/ask': () => unanswered });
  const args = ['ask', 'When?', 'docs', '--endpoint', api.endpoint];
  const none = await runTrove(args, { home: home.path });
  assert.is(none.code, 1);
  assert.is(none.stdout, '');
  assert.match(none.stderr, 'note: The search was for “token”.\nNot found. `trove search');
  const json = await runTrove([...args, '--json'], { home: home.path });
  assert.is(json.code, 1);
  assert.is(JSON.parse(json.stdout).found, false);
});

test.run();
