import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listCommands } from '@trove/commands/pages';
import { runCommandLine } from '../src/commands/main.js';
import { program } from '../src/commands/program.js';

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
    [[], 'a command is missing'],
    [['nope'], 'unknown command "nope"'],
    [['run', '--nope'], 'unknown option --nope'],
    [['run', 'stray'], 'unexpected argument "stray"'],
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
    assert.is(stdout, args.at(-1) === '/dev/null' ? 'Configuration: /dev/null\n' : '');
    assert.match(stderr, expected);
    assert.match(stderr, /^error: .*\n {2}\S/, args.join(' '));
  }
});

test('suggests the command or option that was meant', async () => {
  for (const [args, reason, way] of [
    [['rum'], 'unknown command "rum"', '`trove-server run`'],
    [['start'], 'unknown command "start"', '`trove-server run`'],
    [['status'], 'unknown command "status"', '`trove status`'],
    [['connector', 'ad'], 'unknown command "connector ad"', '`trove-server connector add`'],
    [['connector'], 'a command is missing', 'trove-server connector --help'],
    [['run', '--port', '80'], 'unknown option --port', '--bind?'],
    [['run', '--bind'], '--bind has no value', '--bind ADDRESS:PORT'],
    [['worker', '-j', '2'], 'unknown option -j', '--concurrency?'],
    [['setup', '--yes=no'], '--yes does not take an argument', 'trove-server setup --help'],
  ] as const) {
    const { code, stderr } = await run(args);
    assert.is(code, 2, args.join(' '));
    assert.match(stderr, `error: ${reason}\n  `);
    assert.match(stderr, way);
  }
});

test('every command has an example and help', async () => {
  const commands = await listCommands(program.root);
  assert.is(commands.length, 13);
  for (const { path, command } of commands) {
    assert.ok(command.examples.length > 0, path.join(' '));
    for (const example of command.examples) assert.match(example.command, path.join(' '));
    const words = path.slice(1);
    const { code, stdout } = await run([...words, '--help']);
    assert.is(code, 0);
    assert.match(stdout, `${path.join(' ')} `);
    assert.is((await run(['help', ...words])).stdout, stdout);
  }
});

test('a shell completes commands, options and files', async () => {
  assert.match(
    (await run(['completion', 'bash'])).stdout,
    'complete -F _trove_server trove-server',
  );
  const complete = async (line: string): Promise<string> =>
    (await run(['complete', 'bash', '--', line])).stdout;
  assert.is(await complete('trove-server comp'), 'compact\ncompletion\n');
  assert.is(await complete('trove-server connector '), 'add\nlogin\nlist\n');
  assert.is(await complete('trove-server run --b'), '--bind\n');
  assert.is(await complete('trove-server reload --config '), ':files\n');
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
