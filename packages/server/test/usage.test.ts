import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommandLine } from '../src/commands/main.js';

const test = suite('usage of trove-server');
const { TROVE_HOME: homeBefore } = process.env;
const folderBefore = process.cwd();
let root: string;

test.before(async () => {
  root = await mkdtemp(join(tmpdir(), 'trove-usage-'));
  process.chdir(root);
  process.env['TROVE_HOME'] = join(root, 'home');
});
test.after(async () => {
  process.chdir(folderBefore);
  if (homeBefore === undefined) delete process.env['TROVE_HOME'];
  else process.env['TROVE_HOME'] = homeBefore;
  await rm(root, { recursive: true });
});

async function run(args: readonly string[]) {
  const said = { stdout: '', stderr: '' };
  const code = await runCommandLine(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
  });
  return { code, ...said };
}

test('wrong usage and configuration have code 2', async () => {
  await writeFile(join(root, 'server.toml'), '[embeding]\nprovider = "x"\n');
  for (const [args, expected] of [
    [[], 'No command'],
    [['nope'], 'Unknown command nope'],
    [['run', '--nope'], 'unknown argument: --nope'],
    [['run', 'stray'], 'unknown argument: stray'],
    [
      ['run', '--bind', 'nonsense', '--config', '/dev/null'],
      '--bind: must be an address and a port',
    ],
    [['worker', '--concurrency', '0'], '--concurrency must be'],
    [['run', '--config', 'nope.toml'], 'does not exist'],
    [['run'], 'did you mean `embedding`'],
    [['worker'], 'did you mean `embedding`'],
    [['reload'], 'did you mean `embedding`'],
  ] as const) {
    const { code, stdout, stderr } = await run(args);
    assert.is(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.is(stdout, '');
    assert.match(stderr, expected);
    assert.match(stderr, /^error: .*\n {2}\S/, args.join(' '));
  }
});

test('help and version', async () => {
  const help = await run(['--help']);
  assert.is(help.code, 0);
  for (const name of ['run', 'api', 'worker', 'reload']) {
    assert.match(help.stdout, new RegExp(`^ +${name} `, 'm'));
  }
  assert.match((await run(['run', '--help'])).stdout, '--bind');
  assert.match((await run(['worker', '-h'])).stdout, '--concurrency');
  assert.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test.run();
