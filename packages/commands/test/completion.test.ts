import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { completionAt } from '../src/completion/completion-source.js';
import { completionScript, escapeForBash, wordsOfLine } from '../src/completion/shells.js';
import { runSample, sample } from './support/sample.js';

const test = suite('completion');

test('completes the next word of a command line', async () => {
  const words = async (...line: string[]): Promise<string[]> => {
    const expected = await completionAt(sample(), line);
    return expected.kind === 'values' ? [expected.of] : expected.words.map(({ value }) => value);
  };
  assert.equal(await words(''), ['find', 'search', 'job', 'completion']);
  assert.equal(await words('job', ''), ['show']);
  assert.equal(await words('--json', 'job', 'show', ''), ['job']);
  assert.equal(await words('find', 'x', '--mode', ''), ['all', 'first']);
  assert.equal(await words('find', '--mode', 'all', 'x', ''), ['object']);
  assert.equal(await words('job', 'show', '1', ''), []);
  assert.equal(await words('find', 'x', 'a', 'b', ''), ['object']);
  assert.equal(await words('find', '-i', ''), []);
  assert.equal(await words('find', '-im', ''), []);
  assert.equal(await words('find', 'x', '-im', '3', ''), ['object']);
  assert.equal(await words('find', '--', '-x', ''), ['object']);
  assert.equal(await words('find', '--from', ''), ['file']);
  assert.equal(await words('--profile', ''), ['profile']);
  assert.equal(await words('--profile', 'x', 'job', 'show', ''), ['job']);
  assert.equal(await words('completion', ''), ['bash', 'zsh', 'fish']);
  assert.equal(await words('--'), ['--json', '--profile', '--help']);
  const options = await words('find', '--n');
  assert.ok(options.includes('--no-wait') && options.includes('--no-color'));
  assert.ok(options.includes('--json'));
  assert.equal(await words('nonsense', ''), await words(''));
});

test('prints matching candidates for each shell', async () => {
  const completed = async (...words: string[]) => (await runSample(['complete', ...words])).printed;
  assert.is(await completed('fish', '--', 'jo'), 'job\tJobs\n');
  assert.is(await completed('bash', '--', 'sample fin'), 'find\n');
  assert.is(await completed('zsh', '--', 'job', 'show', '1'), '17\tdone\n');
  assert.is(await completed('zsh', '--', 'find', '--from', ''), ':files\n');
  assert.is(await completed('zsh', '--', '--profile', ''), '');
});

test('splits and quotes words like bash', () => {
  assert.equal(wordsOfLine('trove cat a\\ b "c d" e\'f g\' '), [
    'trove',
    'cat',
    'a b',
    'c d',
    'ef g',
    '',
  ]);
  assert.equal(wordsOfLine('trove cat "a b'), ['trove', 'cat', 'a b']);
  assert.is(escapeForBash("it's (1) $x.md", ''), "it\\'s\\ \\(1\\)\\ \\$x.md");
  assert.is(escapeForBash('file://local/a b', 'file://lo'), '//local/a\\ b');
});

test('prints a script with a function named after the program', async () => {
  assert.match(completionScript('bash', 'a-b'), 'complete -F _a_b a-b');
  const { printed } = await runSample(['completion', 'zsh']);
  assert.is(printed, completionScript('zsh', 'sample'));
});

test.run();
