import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { skipReason, testUnless } from '@trove/test-support/skips.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { events, fail, startApi, type Routes } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { runOnTerminal } from './support/terminal.js';
import { runTrove } from './support/trove.js';

const test = suite('ask on a terminal');
const bin = fileURLToPath(new URL('../bin/trove.js', import.meta.url));
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const testOnTerminal = testUnless(hasTerminal ? null : skipReason('script is not installed'), test);

const answer = {
  question: 'When?',
  answer: 'Every night. [1] By hand too. [2]',
  found: true,
  model: 'm',
  notice: null,
  citations: [
    { id: 1, source: 'db://t', locator: { id: 7 }, quote: 'every night', verified: true },
    { id: 2, source: 'db://t', locator: { id: 8 }, quote: 'by hand', verified: true },
  ],
  passages: [],
};
const cited = '\n[1] db://t:{"id":7}\n[2] db://t:{"id":8}\n';
const text = (piece: string) => ['text', { text: piece }] as const;

/** Runs the command on a terminal in this process, against these routes. */
async function ask(route: Routes[string]) {
  await using home = await temporaryHome();
  await using api = await startApi({ 'POST /v1/ask': route });
  const env = { HOME: home.path, TROVE_HOME: home.path, NO_COLOR: '1' };
  const args = ['ask', 'When?', '--endpoint', api.endpoint];
  const { code, stdout, stderr } = await runOnTerminal(args, { cwd: home.path, env });
  return {
    code,
    stdout: stripVTControlCharacters(stdout),
    stderr: stripVTControlCharacters(stderr)
      .replace(/.*Answering … \d+ s\r?/g, '')
      .replaceAll('\r', ''),
    accept: api.received.at(-1)?.headers.accept,
  };
}

test('prints the streamed text once, and then its citations', async () => {
  const result = await ask(() =>
    events([
      ['passages', { passages: [] }],
      text('Every night. [1]'),
      text(' By hand too. [2]'),
      ['answer', answer],
    ]),
  );
  assert.equal([result.code, result.stderr], [0, '']);
  assert.is(result.stdout, `${answer.answer}\n${cited}`);
  assert.match(result.accept ?? '', 'text/event-stream');
});

test('prints an answer that arrives at once', async () => {
  for (const route of [() => events([['answer', answer]]), () => answer]) {
    const result = await ask(route);
    assert.equal([result.code, result.stdout], [0, `${answer.answer}\n${cited}`]);
  }
});

test('states what the answer leaves out after its text', async () => {
  const notice =
    'The answer leaves out 1 statement of the language model without a verified citation.';
  const result = await ask(() => events([text(answer.answer), ['answer', { ...answer, notice }]]));
  assert.is(result.stdout, `${answer.answer}\n${cited}`);
  assert.is(result.stderr, `note: ${notice}\n`);
});

test('prints the answer that replaces the text of a failed model', async () => {
  const notice = 'The language model failed, so the answer only quotes: cut';
  const quoted = { ...answer, answer: '“Every night.” [1]', notice };
  const result = await ask(() => events([text('Every nig'), ['answer', quoted]]));
  assert.is(result.stdout, `Every nig\n“Every night.” [1]\n${cited}`);
  assert.is(result.stderr, `note: ${notice}\n`);
});

test('begins a new line when the model starts again', async () => {
  const result = await ask(() =>
    events([text('Every day.'), ['restart', {}], text(answer.answer), ['answer', answer]]),
  );
  assert.is(result.stdout, `Every day.\n${answer.answer}\n${cited}`);
  assert.match(result.stderr, 'starts again');
});

test('reports an error after the text and an unanswered question', async () => {
  const envelope = { code: 'timed_out', detail: 'The request took longer', suggestions: [] };
  const late = await ask(() => events([text('Every'), ['error', envelope]]));
  assert.equal([late.code, late.stdout], [2, 'Every\n']);
  assert.match(late.stderr, 'The request took longer');
  const broken = await ask(() => events([text('Every')]));
  assert.equal([broken.code, broken.stdout], [2, 'Every\n']);
  const early = await ask(() => fail(404, 'not_found', 'No such source'));
  assert.equal([early.code, early.stdout], [2, '']);
  const none = { ...answer, found: false, answer: 'Not found', citations: [] };
  const unanswered = await ask(() => events([['answer', none]]));
  assert.equal([unanswered.code, unanswered.stdout], [1, '']);
  assert.match(unanswered.stderr, 'Not found. `trove search');
});

test('makes control characters of a stream harmless', async () => {
  const result = await ask(() => events([text('\u001b[2Jx'), ['answer', answer]]));
  assert.match(result.stdout, '␛[2Jx');
});

test('requests no stream for a pipe and for JSON', async () => {
  await using home = await temporaryHome();
  await using api = await startApi({ 'POST /v1/ask': () => answer });
  for (const more of [[], ['--json']]) {
    const args = ['ask', 'When?', '--endpoint', api.endpoint, ...more];
    const { code } = await runTrove(args, { home: home.path });
    assert.is(code, 0);
    assert.is(api.received.at(-1)?.headers.accept, 'application/json');
  }
});

testOnTerminal('a process shows text before the answer is complete', async () => {
  await using home = await temporaryHome();
  let release = (): void => {};
  const seen = new Promise<void>((resolve) => (release = resolve));
  await using api = await startApi({
    'POST /v1/ask': () =>
      events(
        (async function* () {
          yield ['passages', { passages: [] }] as const;
          yield text('Every night. [1]');
          await seen;
          yield text(' By hand too. [2]');
          yield ['answer', answer] as const;
        })(),
      ),
  });
  const command = `stty cols 160; '${process.execPath}' '${bin}' ask When --endpoint ${api.endpoint}`;
  const { PATH, TMPDIR } = process.env;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: home.path,
    env: { PATH, TMPDIR, HOME: home.path, TROVE_HOME: home.path, TERM: 'dumb', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.on('data', (piece: Buffer) => (shown += piece.toString()));
  const closed = once(child, 'close');
  try {
    await waitUntil(() => shown.includes('Every night. [1]'), 'the first text');
    assert.not.match(shown, 'By hand');
  } finally {
    release();
  }
  const [code] = await closed;
  assert.is(code, 0);
  const screen = stripVTControlCharacters(shown).replaceAll('\r', '');
  assert.match(screen, `Every night. [1] By hand too. [2]\n${cited}`);
});

test.run();
