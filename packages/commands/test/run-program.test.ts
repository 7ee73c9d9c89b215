import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { UsageError } from '../src/errors.js';
import { runSample, sample } from './support/sample.js';

const test = suite('running a command line');

async function valuesOf(...words: string[]): Promise<Record<string, unknown> | undefined> {
  const { calls } = await runSample(words);
  return calls[0]?.values;
}

test('passes every kind of argument to the command', async () => {
  const words = 'find -im 3 x a b --glob *.ts -g *.md --mode=all --no-wait --no-color --from f';
  assert.equal(await valuesOf(...words.split(' ')), {
    pattern: 'x',
    paths: ['a', 'b'],
    ignoreCase: true,
    maxCount: 3,
    mode: 'all',
    glob: ['*.ts', '*.md'],
    noWait: true,
    color: false,
    from: 'f',
  });
  assert.equal(await valuesOf('find', 'x'), {
    pattern: 'x',
    paths: [],
    ignoreCase: false,
    maxCount: undefined,
    mode: undefined,
    glob: [],
    noWait: false,
    color: true,
    from: undefined,
  });
});

test('keeps words after -- and values after = unchanged', async () => {
  const values = await valuesOf('find', '--from=--no-color', '--glob=', '--', '-x', '--no-wait');
  assert.is(values?.['pattern'], '-x');
  assert.equal(values?.['paths'], ['--no-wait']);
  assert.is(values?.['from'], '--no-color');
  assert.equal(values?.['glob'], ['']);
  assert.is(values?.['color'], true);
  assert.is(values?.['noWait'], false);
});

test('accepts global options before the command', async () => {
  assert.is((await valuesOf('--profile', 'p', '--json', 'find', '--', '-x'))?.['pattern'], '-x');
});

test('rejects invalid lines with a suggestion', async () => {
  const cases: [string, RegExp, RegExp][] = [
    ['fnd', /unknown command "fnd"/, /`sample find`/],
    ['list', /unknown command "list"/, /`sample job show`/],
    ['job', /a command is missing/, /sample job --help/],
    ['find', /PATTERN is missing/, /sample find --help/],
    ['job show 1 2', /unexpected argument "2"/, /Quote/],
    ['find x --ignore-cas', /unknown option --ignore-cas/, /--ignore-case\?/],
    ['find x --include y', /unknown option --include/, /Write -g 'GLOB'/],
    ['find x -n 3', /unknown option -n/, /--max-count\?/],
    ['find --pattern x', /unknown option --pattern/, /PATTERN alone/],
    ['find x --no-mode', /unknown option --no-mode/, /sample find --help/],
    ['find x --__proto__ 1', /unknown option --__proto__/, /"--"/],
    ['find x -zi', /unknown option -z/, /"--"/],
    ['find x -m', /-m has no value/, /-m N/],
    ['find x -m -1', /-m has no value/, /--max-count=-XYZ/],
    ['find x --glob --json', /--glob has no value/, /--glob=-XYZ/],
    ['find x --json=yes', /--json does not take an argument/, /--help/],
    ['find x --no-color=1', /--no-color does not take an argument/, /--help/],
    ['find x -m two', /--max-count must be a whole number/, /--help/],
    ['find x --mode some', /--mode must be one of all, first/, /--help/],
  ];
  for (const [line, reason, way] of cases) {
    const error: unknown = await runSample(line.split(' ')).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof UsageError, line);
    assert.match(error.message, reason);
    assert.match(error.suggestions.join('\n'), way, line);
  }
});

test('prints the version and the requested help', async () => {
  for (const words of [['--version'], ['-v']])
    assert.is((await runSample(words)).printed, '1.2.3\n');
  const general = (await runSample([])).printed;
  assert.match(general, /^Try the framework\.\n\nUsage\n {2}sample COMMAND\n/);
  for (const words of [['help'], ['--help'], ['-h']])
    assert.is((await runSample(words)).printed, general);
  const { printed } = await runSample(['find', '--help']);
  assert.match(printed, 'sample find PATTERN [PATHS…] [options]');
  assert.match(printed, '--no-color');
  assert.is((await runSample(['help', 'find'])).printed, printed);
  assert.is((await runSample(['find', '--', '--help'])).calls.length, 1);
});

test('loads a lazy command only for its help and its run', async () => {
  const loads: string[] = [];
  const program = sample(loads);
  await runSample(['--help'], program);
  await runSample(['job', '--help'], program);
  await runSample(['complete', 'fish', '--', 'job', ''], program);
  assert.equal(loads, []);
  assert.match((await runSample(['job', 'show', '--help'], program)).printed, 'Show a job.');
  assert.equal((await runSample(['job', 'show', '1'], program)).calls, [
    { name: 'show', values: { id: '1' } },
  ]);
  assert.equal(loads, ['show', 'show']);
});

test.run();
