// test-timeout: 360
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listen } from '@trove/test-support/listen.js';
import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { Command, type Finished } from './support/command.js';
import { openRaw } from './support/raw.js';

interface Context {
  root: string;
  home: string;
  started: Command[];
}

const test = suite<Context>('trove-server');
test.before.each(async (context) => {
  context.root = await mkdtemp(join(tmpdir(), 'trove-command-'));
  context.home = join(context.root, 'home');
  context.started = [];
});
test.after.each(async ({ root, started }) => {
  for (const command of started) await command.stop('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

function start(
  context: Context,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = context.root,
): Command {
  const all = { HOME: context.root, TROVE_HOME: context.home, ...env };
  const command = new Command(args, { cwd, env: all });
  context.started.push(command);
  return command;
}

const run = (
  context: Context,
  args: readonly string[],
  env?: Record<string, string>,
): Promise<Finished> => start(context, args, env).finished;

const noFile = 'Configuration: built-in defaults, no server.toml found\n';
const anyPort = ['--bind', '127.0.0.1:0'];

async function addDocs(context: Context, url: string, inline: boolean): Promise<string> {
  const docs = join(context.root, 'docs');
  await mkdir(docs, { recursive: true });
  await writeFile(join(docs, 'fox.md'), 'The quick brown fox.\n');
  const token = (await readFile(join(context.home, 'server.token'), 'utf8')).trim();
  const response = await fetch(`${url}/v1/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ target: docs, process: inline }),
  });
  const answer = (await response.json()) as { job_id?: string };
  assert.type(answer.job_id, 'string', JSON.stringify(answer));
  return String(answer.job_id);
}

async function jobStatus(context: Context, url: string, id: string): Promise<string> {
  const token = (await readFile(join(context.home, 'server.token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v1/jobs/${id}`, { headers });
  const job = (await response.json()) as { status?: string };
  assert.type(job.status, 'string', JSON.stringify(job));
  return String(job.status);
}

async function untilStatus(
  context: Context,
  url: string,
  id: string,
  wanted: string,
): Promise<void> {
  await waitUntil(
    async () => (await jobStatus(context, url, id)) === wanted,
    `the job is ${wanted}`,
  );
}

test('run serves, prints its file and address, runs jobs, and stops', async (context) => {
  const command = start(context, ['run', ...anyPort]);
  const url = await command.url();
  assert.is((await fetch(`${url}/healthz`)).status, 200);
  assert.is((await fetch(`${url}/v1/status`)).status, 401);
  const id = await addDocs(context, url, false);
  await untilStatus(context, url, id, 'succeeded');
  assert.is((await stat(context.home)).mode & 0o777, 0o700);
  const { code, stdout, stderr } = await command.stop();
  assert.is(code, 0, stderr);
  assert.match(stderr, '"msg":"stopped"');
  assert.is(
    stdout,
    `${noFile}Trove is listening on ${url}\nOpen this address in a browser for the console. Sign in: trove console\n`,
  );
  const first: unknown = JSON.parse(
    stderr.split('\n').find((line) => line.includes('"listening"')) ?? '',
  );
  const { level, home, auth, metadata, embedding, worker } = first as Record<string, unknown>;
  assert.equal(
    { level, home, auth, metadata, embedding, worker },
    {
      level: 'info',
      home: context.home,
      auth: 'auto',
      metadata: 'sqlite',
      embedding: 'lexical',
      worker: 'in process',
    },
  );
  const token = (await readFile(join(context.home, 'server.token'), 'utf8')).trim();
  assert.not.match(stderr, token);
});

test('a worker runs the jobs that an api queues', async (context) => {
  const env = { TROVE_WORKER_IN_PROCESS: 'false' };
  const api = start(context, ['api', ...anyPort], env);
  const url = await api.url();
  const id = await addDocs(context, url, false);
  assert.is(await jobStatus(context, url, id), 'queued');
  const worker = start(context, ['worker', '--concurrency', '1'], env);
  await untilStatus(context, url, id, 'succeeded');
  const ended = await worker.stop('SIGINT');
  assert.is(ended.code, 0, ended.stderr);
  assert.is(ended.stdout, noFile);
  assert.is((await api.stop('SIGINT')).code, 0);
});

test('all files of the server are private, wherever they are', async (context) => {
  const { root, home } = context;
  const data = join(root, 'data');
  for (const folder of [home, data]) await mkdir(folder, { mode: 0o755 });
  const command = start(context, ['run', ...anyPort], {
    TROVE_METADATA_PATH: join(data, 'm.db'),
    TROVE_TRANSFORMATION_CACHE_PATH: join(data, 't.db'),
    TROVE_INDEX_URI: join(data, 'index.lance'),
  });
  const url = await command.url();
  await untilStatus(context, url, await addDocs(context, url, false), 'succeeded');
  assert.is((await command.stop()).code, 0);
  assert.is((await stat(home)).mode & 0o777, 0o700);
  const names = await readdir(data, { recursive: true });
  assert.ok(names.length > 5 && names.includes('m.db'), names.join());
  for (const name of names) {
    assert.is((await stat(join(data, name))).mode & 0o077, 0, name);
  }
});

test('stopping answers or aborts requests in flight', async (context) => {
  const command = start(context, ['run', ...anyPort]);
  const url = await command.url();
  const waiting = addDocs(context, url, true).catch(() => 'broken off');
  await waitUntil(() => command.stderr.includes('listening'), 'the log');
  const { code } = await command.stop();
  assert.is(code, 0);
  assert.ok(await waiting);
});

test('a signal stops the server during attacks, and it starts again', async (context) => {
  const { root, home } = context;
  const fifo = join(root, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const command = start(context, ['run', ...anyPort]);
  const host = { url: await command.url(), close: () => Promise.resolve() };
  const token = (await readFile(join(home, 'server.token'), 'utf8')).trim();
  const id = await addDocs(context, host.url, false);
  const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const attacks = [
    'GET /v1/status HTTP/1.1\r\nHost: local',
    'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
    `POST /v1/add HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    `POST /v1/add HTTP/1.1\r\n${headers}Expect: 100-continue\r\nContent-Length: 9000000000\r\n\r\n`,
    `GET /v1/search?q=fox HTTP/1.1\r\n${headers}\r\nhello\r\n\r\n`,
    `GET /v1/grep?pattern=fox HTTP/1.1\r\n${headers}Upgrade: x\r\nConnection: Upgrade\r\n\r\n`,
  ];
  const open = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const raw = await openRaw(host);
      raw.send(attacks[n % attacks.length] ?? '');
      return raw;
    }),
  );
  const probes = Array.from({ length: 40 }, () =>
    probe(context, host.url, fifo).catch(() => 'broken off'),
  );
  await untilStatus(context, host.url, id, 'succeeded');
  const { code, stderr } = await withTimeout(command.stop(), 'stopping');
  assert.is(code, 0, stderr);
  await Promise.all([...probes, ...open.map(({ closed }) => closed)]);
  const again = start(context, ['run', ...anyPort]);
  assert.is(await jobStatus(context, await again.url(), id), 'succeeded');
  assert.is((await again.stop()).code, 0);
});

test('servers that start together on a new home share it', async (context) => {
  const commands = [1, 2, 3].map(() => start(context, ['api', ...anyPort]));
  const urls = await Promise.all(commands.map((command) => command.url()));
  const token = (await readFile(join(context.home, 'server.token'), 'utf8')).trim();
  for (const url of urls) {
    const headers = { authorization: `Bearer ${token}` };
    assert.is((await fetch(`${url}/v1/status`, { headers })).status, 200);
  }
  for (const command of commands) assert.is((await command.stop()).code, 0);
});

test('a signal during the start stops the server', async (context) => {
  const command = start(context, ['run', ...anyPort]);
  await waitUntil(() => existsSync(context.home) || command.process.exitCode !== null, 'the home');
  const { code, stderr } = await command.stop();
  assert.is(code, 0, stderr);
});

test('an address in use is a clear error with code 1', async (context) => {
  const taken = await listen(() => undefined);
  const { code, stdout, stderr } = await run(context, ['run', '--bind', taken.host]);
  await taken.stop();
  assert.is(code, 1, stderr);
  assert.is(stdout, noFile);
  assert.match(stderr, `error: Cannot listen on ${taken.host}: the port is in use\n`);
  assert.not.ok(existsSync(context.home), 'no engine was opened');
  assert.not.match(stderr, '    at ');
});

test('an unusable home is a clear error with code 1', async (context) => {
  await writeFile(context.home, 'a file');
  for (const command of [['run', ...anyPort], ['worker']]) {
    const { code, stderr } = await run(context, command);
    assert.is(code, 1, stderr);
    assert.match(stderr, `error: The home ${context.home} cannot be used`);
    assert.not.match(stderr, '    at ');
  }
});

/** A connector package that records where it was imported from. */
async function installMarker(folder: string, scheme: string): Promise<string> {
  const place = join(folder, 'node_modules', `trove-connector-${scheme}`);
  await mkdir(place, { recursive: true });
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ name: `trove-connector-${scheme}`, type: 'module', exports: './index.js' }),
  );
  await writeFile(
    join(place, 'index.js'),
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(join(place, 'imported'))}, '');
     export default { kind: 'connector', apiVersion: 1, keys: ['${scheme}'], configSchema: { type: 'object' },
       create: () => ({ async *list() {}, read: async () => new Uint8Array() }) };`,
  );
  return join(place, 'imported');
}

async function probe(context: Context, url: string, target: string): Promise<number> {
  const token = (await readFile(join(context.home, 'server.token'), 'utf8')).trim();
  const response = await fetch(`${url}/v1/connectors/probe`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ target }),
  });
  return response.status;
}

test('plugins come from the folder of a named file, the home and the server, not the working directory', async (context) => {
  const { root, home } = context;
  const named = join(root, 'named');
  const [stray, ofHome, ofFile] = await Promise.all([
    installMarker(join(root, 'stray'), 'stray'),
    installMarker(home, 'home'),
    installMarker(named, 'named'),
  ]);
  await writeFile(join(named, 'server.toml'), '');
  const args = ['run', ...anyPort, '--config', join(named, 'server.toml')];
  const command = start(context, args, {}, join(root, 'stray'));
  const url = await command.url();
  assert.match(command.stdout, `Configuration: ${join(named, 'server.toml')}\n`);
  assert.is(await probe(context, url, 'stray://x'), 501);
  assert.is(await probe(context, url, 'home://x'), 200);
  assert.is(await probe(context, url, 'named://x'), 200);
  assert.equal([stray, ofHome, ofFile].map(existsSync), [false, true, true]);
  assert.is((await command.stop()).code, 0);
});

test('a server.toml in the working directory cannot load plugins', async (context) => {
  const mark = await installMarker(context.root, 'stray');
  await writeFile(
    join(context.root, 'server.toml'),
    '[plugins]\nlexical = "trove-connector-stray"\n',
  );
  for (const command of [['run', ...anyPort], ['worker'], ['reload']]) {
    const { code, stdout, stderr } = await run(context, command);
    assert.is(code, 2);
    assert.is(stdout, '');
    assert.match(
      stderr,
      `error: [plugins]: not accepted from ${join(context.root, 'server.toml')}`,
    );
  }
  assert.not.ok(existsSync(mark));
});

test('a foreign plugin gets its settings from server.toml, validated by its schema', async (context) => {
  const { home } = context;
  const place = join(home, 'node_modules', 'trove-embedder-tiny');
  await mkdir(place, { recursive: true });
  const manifest = { name: 'trove-embedder-tiny', type: 'module', exports: './index.js' };
  await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    join(place, 'index.js'),
    `import { writeFileSync } from 'node:fs';
     export default { kind: 'embedder', apiVersion: 1, keys: ['tiny'],
       configSchema: { type: 'object', properties: { size: { type: 'integer' }, mode: { type: 'string' },
         login: { type: 'object', properties: { key: { type: 'string', writeOnly: true } } } } },
       create: ({ config }) => {
         writeFileSync(${JSON.stringify(join(place, 'config.json'))}, JSON.stringify(config));
         return { model: 'tiny', dimension: config.size, nature: 'lexical',
           embed: async (texts) => texts.map(() => new Float32Array(config.size).fill(0.5)) };
       } };`,
  );
  const toml = (more: string): Promise<void> =>
    writeFile(
      join(home, 'server.toml'),
      `[embedding]\nprovider = "tiny"\n[plugin_config.embedder.tiny]\nsize = 8\n${more}\n`,
    );
  await toml('login = { key = "env:TINY_KEY" }');
  const env = { TINY_KEY: 'c4n4ry', TROVE_PLUGIN_CONFIG_EMBEDDER_TINY_MODE: 'fast' };
  const command = start(context, ['run', ...anyPort], env);
  await command.url();
  const ended = await command.stop();
  assert.is(ended.code, 0, ended.stderr);
  assert.equal(JSON.parse(await readFile(join(place, 'config.json'), 'utf8')), {
    size: 8,
    login: { key: 'c4n4ry' },
    mode: 'fast',
  });
  assert.not.match(ended.stderr, 'c4n4ry');

  await toml('login = { key = "c4n4ry" }');
  const shown = await run(context, ['reload'], env);
  assert.is(shown.code, 0, shown.stderr);
  assert.not.match(shown.stdout + shown.stderr, 'c4n4ry');
  assert.match(shown.stdout, /^plugin_config\.embedder\.tiny\.size +8 +.*server\.toml$/m);
  assert.match(shown.stdout, /^plugin_config\.embedder\.tiny\.login +\{"key":"\*\*\*"\} +.*toml$/m);
  assert.match(shown.stdout, /^plugin_config\.embedder\.tiny\.mode +fast +TROVE_PLUGIN_CONFIG/m);

  await toml('sise = "c4n4ry"');
  for (const args of [['reload'], ['run', ...anyPort]]) {
    const { code, stdout, stderr } = await run(context, args, env);
    assert.is(code, 2, stderr);
    assert.match(stderr, 'error: embedder tiny: config.sise: is not known');
    assert.match(stderr, 'Did you mean `size`?');
    assert.not.match(stdout + stderr, 'c4n4ry');
  }
});

test('replaced built-in plugins are reported at the start and by reload', async (context) => {
  await installMarker(context.home, 'mine');
  const text = 'plugins.file: trove-connector-mine serves connector file instead of the built-in';
  const env = { TROVE_PLUGINS_FILE: 'trove-connector-mine' };
  const { code, stdout } = await run(context, ['reload'], env);
  assert.is(code, 0);
  assert.match(stdout, `warning: ${text} @trove/connector-file\n`);
  const command = start(context, ['run', ...anyPort], env);
  await command.url();
  assert.match((await command.stop()).stderr, text);
});

test('reload prints the resulting settings and creates nothing', async (context) => {
  await writeFile(
    join(context.root, 'server.toml'),
    'auth_token = "s3cret"\n[jobs]\nretention_days = 3\n',
  );
  const { code, stdout } = await run(context, ['reload'], { TROVE_LOG_LEVEL: 'warn' });
  assert.is(code, 0);
  assert.match(stdout, /^metadata +sqlite/m);
  assert.match(stdout, /^jobs\.retention_days +3 +.*server\.toml$/m);
  assert.match(stdout, /^log\.level +warn +TROVE_LOG_LEVEL$/m);
  assert.not.match(stdout, 's3cret');
  assert.not.ok(await stat(context.home).catch(() => null));
});

test('reload refuses a token that cannot be found', async (context) => {
  const env = { TROVE_AUTH_TOKEN: 'env:TROVE_TEST_NO_SUCH_TOKEN' };
  const { code, stderr } = await run(context, ['reload'], env);
  assert.is(code, 1);
  assert.match(stderr, 'auth_token: the environment variable TROVE_TEST_NO_SUCH_TOKEN is not set');
});

test('warns about a private folder with a shared database', async (context) => {
  const env = { TROVE_METADATA_BACKEND: 'postgres', TROVE_METADATA_DSN: 'postgres://localhost/x' };
  const warning = /^warning: uploads\.path: other servers and workers cannot read this folder/m;
  assert.match((await run(context, ['reload'], env)).stdout, warning);
  const shared = { ...env, TROVE_UPLOADS_PATH: '/shared/trove' };
  assert.not.match((await run(context, ['reload'], shared)).stdout, warning);
  assert.not.match((await run(context, ['reload'])).stdout, warning);
});

test('the log keeps its level and its format', async (context) => {
  const quiet = start(context, ['run', ...anyPort], { TROVE_LOG_LEVEL: 'error' });
  await quiet.url();
  assert.is((await quiet.stop()).stderr, '');
  const pretty = start(context, ['run', ...anyPort], {
    TROVE_LOG_FORMAT: 'pretty',
    TROVE_SERVER_PORT: 'tcp://10.0.0.1:80',
  });
  await pretty.url();
  const { stderr } = await pretty.stop();
  assert.match(stderr, /INFO.*: .*listening/);
  assert.match(stderr, /WARN.*: .*TROVE_SERVER_PORT is not a setting and is ignored/);
});

test.run();
