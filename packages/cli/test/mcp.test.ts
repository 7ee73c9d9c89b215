import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { agents, memberOf, type Agent } from '../src/mcp/agents.js';
import { withServer } from '../src/mcp/agent-file.js';
import { temporaryHome } from './support/home.js';
import { collect, runTrove } from './support/trove.js';

const test = suite('trove mcp');
const binPath = fileURLToPath(new URL('../bin/trove.js', import.meta.url));
const command = { command: '/usr/bin/node', args: ['/opt/trove.js', 'mcp'], env: {} };

interface Answer {
  readonly id: number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Runs `trove mcp` with these lines as its input. */
async function serve(
  home: string,
  endpoint: string,
  lines: readonly string[],
): Promise<{ readonly answers: Answer[]; readonly stderr: string; readonly code: unknown }> {
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, [binPath, 'mcp', '--endpoint', endpoint], {
    cwd: home,
    env: { PATH, TMPDIR, HOME: home, TROVE_HOME: home },
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [code] = await once(child, 'close');
  const answers = stdout().trimEnd().split('\n');
  return { answers: answers.map((line): Answer => JSON.parse(line)), stderr: stderr(), code };
}

const message = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

test('starts a server if none runs, and then uses it', async () => {
  await using home = await temporaryHome();
  await using notes = await temporaryHome();
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const clientInfo = { name: 'test', version: '1' };
  const greeting = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  try {
    await writeFile(join(notes.path, 'fox.md'), 'The quick brown fox.\n');
    const first = await serve(home.path, endpoint, [message(1, 'initialize', greeting)]);
    assert.is(first.code, 0);
    assert.match(first.stderr, 'Starting a server');
    assert.is(first.answers[0]?.result?.['protocolVersion'], '2025-11-25');
    const env = { TROVE_ENDPOINT: endpoint };
    const added = await runTrove(['add', notes.path], { home: home.path, env });
    assert.is(added.code, 0, added.stderr);
    const second = await serve(home.path, endpoint, [
      message(1, 'initialize', greeting),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      'this is no message',
      message(2, 'tools/call', { name: 'grep', arguments: { pattern: 'quick' } }),
      message(3, 'no/such/method'),
    ]);
    assert.is(second.stderr, '');
    const byId = new Map(second.answers.map((answer) => [answer.id, answer]));
    assert.is(second.answers.length, 4);
    assert.is(byId.get(null)?.error?.code, -32_700);
    assert.match(JSON.stringify(byId.get(2)?.result), '1: The quick brown fox.');
    assert.is(byId.get(3)?.error?.code, -32_601);
    const doctor = await runTrove(['mcp', 'doctor'], { home: home.path, env });
    assert.is(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /ok {4}start.*\nok {4}tools.*search.*\nok {4}call/);
    assert.is(doctor.stderr, '');
  } finally {
    await runTrove(['serve', 'stop'], { home: home.path });
  }
});

test('the doctor stops a server that it started', async () => {
  await using home = await temporaryHome();
  const env = { TROVE_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  try {
    const { code, stdout, stderr } = await runTrove(['mcp', 'doctor'], { home: home.path, env });
    assert.is(code, 0, stdout);
    assert.match(stderr, 'Stopped the server that the check had started');
    const status = await runTrove(['serve', 'status'], { home: home.path, env });
    assert.match(status.stdout, 'Not running');
  } finally {
    await runTrove(['serve', 'stop'], { home: home.path });
  }
});

test('a wrong token and a server on another machine are errors that the agent sees', async () => {
  await using home = await temporaryHome();
  const unreachable = await serve(home.path, 'http://192.0.2.1:1', [
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    'null',
  ]);
  assert.is(unreachable.answers.length, 1);
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  try {
    await runTrove(['serve', 'start', '--endpoint', endpoint], { home: home.path });
    await writeFile(join(home.path, 'server.token'), 'a-wrong-token');
    const { answers, code } = await serve(home.path, endpoint, [message(1, 'tools/list')]);
    assert.is(code, 0);
    assert.match(answers[0]?.error?.message ?? '', /^unauthorized: /);
  } finally {
    await runTrove(['serve', 'stop'], { home: home.path });
  }
});

for (const [name, agent] of Object.entries<Agent>(agents)) {
  test(`installs for ${name}, keeps the file's other entries and a backup`, async () => {
    await using home = await temporaryHome();
    const path = agent.userFile({ HOME: home.path });
    const other =
      agent.format === 'json'
        ? `// mine\n{\n  "${agent.section[0]}": { "other": { "command": "x" } }\n}\n`
        : '# mine\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.trove]\ncommand = "old"\n\n[mcp_servers.trove.env]\nA = "1"\n\n[z]\ny = 1\n';
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, other);
    const { code, stderr } = await runTrove(['mcp', 'install', name], { home: home.path });
    assert.is(code, 0, stderr);
    const text = await readFile(path, 'utf8');
    assert.match(text, 'mine');
    assert.match(text, 'other');
    assert.match(text, binPath);
    assert.not.match(text, '"old"');
    assert.is(await readFile(`${path}.bak`, 'utf8'), other);
    assert.is((await stat(path)).mode & 0o777, 0o600);
    const again = await runTrove(['mcp', 'install', name], { home: home.path });
    assert.match(again.stdout, 'already has Trove');
    assert.is(await readFile(path, 'utf8'), text);
  });
}

test('a configuration that is a link stays a link', async () => {
  await using home = await temporaryHome();
  const path = join(home.path, '.cursor', 'mcp.json');
  const target = join(home.path, 'dotfiles.json');
  await mkdir(dirname(path));
  await writeFile(target, '{}');
  await symlink(target, path);
  await runTrove(['mcp', 'install', 'cursor'], { home: home.path });
  assert.ok((await lstat(path)).isSymbolicLink());
  assert.match(await readFile(target, 'utf8'), binPath);
});

test('the entry of the server is complete in each format', () => {
  const json = withServer('a.json', '', agents.vscode, command);
  const entry = memberOf(JSON.parse(json), ['servers', 'trove']);
  assert.equal(entry, { type: 'stdio', command: command.command, args: command.args });
  const toml = withServer('a.toml', '', agents.codex, { ...command, env: { TROVE_HOME: '/h' } });
  assert.match(toml, /\[mcp_servers\.trove\]\ncommand = "\/usr\/bin\/node"/);
  assert.match(toml, /\[mcp_servers\.trove\.env\]\nTROVE_HOME = "\/h"/);
});

test('a file that cannot be parsed is not changed', async () => {
  await using home = await temporaryHome();
  const path = join(home.path, '.cursor', 'mcp.json');
  await mkdir(dirname(path));
  await writeFile(path, '{ "mcpServers": ');
  const { code, stderr } = await runTrove(['mcp', 'install', 'cursor'], { home: home.path });
  assert.is(code, 1);
  assert.match(stderr, 'is not valid JSON, so it was not changed');
  assert.is(await readFile(path, 'utf8'), '{ "mcpServers": ');
  assert.not(existsSync(`${path}.bak`));
});

test('an unknown agent is refused with the known names', async () => {
  await using home = await temporaryHome();
  const { code, stderr } = await runTrove(['mcp', 'install', 'emacs'], { home: home.path });
  assert.is(code, 2);
  assert.match(stderr, 'claude, cursor, vscode, codex, windsurf, opencode');
});

test.run();
