import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { settingKeys } from 'trove';
import { parseBind } from '../src/config/bind.js';
import { readEnvironment } from '../src/config/environment.js';
import { loadConfig, type ConfigOptions } from '../src/config/load.js';
import { reportConfig } from '../src/config/report.js';

interface Folders {
  readonly cwd: string;
  readonly home: string;
}

const test = suite<Folders>('configuration');

test.before.each(async (folders) => {
  const root = await mkdtemp(join(tmpdir(), 'trove-config-'));
  Object.assign(folders, { cwd: join(root, 'cwd'), home: join(root, 'home') });
  await mkdir(folders.cwd);
  await mkdir(folders.home);
});
test.after.each(({ cwd }) => rm(join(cwd, '..'), { recursive: true }));

function load({ cwd, home }: Folders, options: ConfigOptions = {}) {
  return loadConfig({ cwd, ...options, env: { TROVE_HOME: home, ...options.env } });
}

async function refusal(loading: Promise<unknown>) {
  try {
    await loading;
  } catch (error) {
    if (isTroveError(error) && error.code === 'config_invalid') return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('without a file the defaults apply', async (folders) => {
  const { settings, file } = await load(folders);
  assert.is(file, null);
  assert.is(settings.server.bind, '127.0.0.1:13619');
  assert.is(settings.metadata.path, join(folders.home, 'metadata.db'));
});

test('reads the first file in the lookup order', async (folders) => {
  const write = async (path: string, namespace: string): Promise<string> => {
    await writeFile(path, `namespace = "${namespace}"\n`);
    return path;
  };
  const inHome = await write(join(folders.home, 'server.toml'), 'home');
  assert.is((await load(folders)).settings.namespace, 'home');
  await write(join(folders.cwd, 'server.toml'), 'cwd');
  assert.is((await load(folders)).settings.namespace, 'cwd');
  const named = await write(join(folders.home, 'other.toml'), 'env');
  const env = { TROVE_SERVER_CONFIG: named };
  assert.is((await load(folders, { env })).settings.namespace, 'env');
  await write(join(folders.cwd, 'given.toml'), 'option');
  const loaded = await load(folders, { env, configFile: 'given.toml' });
  assert.is(loaded.settings.namespace, 'option');
  assert.is(loaded.file, join(folders.cwd, 'given.toml'));
  assert.is((await load(folders, { configFile: inHome })).settings.namespace, 'home');
});

test('a stray file in the working directory cannot load plugins or open the server', async (folders) => {
  const { cwd, home } = folders;
  const path = join(cwd, 'server.toml');
  for (const [toml, reason] of [
    ['[plugins]\nslack = "evil"', /^\[plugins\]: not accepted from .*server\.toml/],
    ['auth_token = "-"', /^auth_token = "-": not accepted from/],
    ['auth_token = " - "\n[plugins]\nslack = "evil"', /^\[plugins\] and auth_token = "-": not/],
  ] as const) {
    await writeFile(path, toml);
    const { detail, suggestions } = await refusal(load(folders));
    assert.match(detail, reason);
    assert.match(suggestions.join(), `--config ${path}`);
    assert.is((await load(folders, { configFile: 'server.toml' })).file, path);
    assert.is((await load(folders, { env: { TROVE_SERVER_CONFIG: path } })).file, path);
    await symlink(cwd, join(home, 'link'));
    assert.is((await load({ cwd, home: join(home, 'link') })).file, path, 'it is the home');
    await rm(join(home, 'link'));
  }
  await writeFile(path, 'auth_token = ""\n[plugins]\n');
  assert.is((await load(folders)).file, path);
});

test('loads plugin packages from the folder of a named file, then the home', async (folders) => {
  const { cwd, home } = folders;
  assert.equal((await load(folders)).packageFolders, [home]);
  await writeFile(join(cwd, 'server.toml'), '');
  assert.equal((await load(folders)).packageFolders, [home]);
  assert.equal((await load(folders, { configFile: 'server.toml' })).packageFolders, [cwd, home]);
});

test('an empty file counts as found', async (folders) => {
  await writeFile(join(folders.home, 'server.toml'), 'namespace = "home"');
  await writeFile(join(folders.cwd, 'server.toml'), '');
  const { settings, file } = await load(folders);
  assert.is(settings.namespace, 'default');
  assert.is(file, join(folders.cwd, 'server.toml'));
});

test('a named file that is missing is an error', async (folders) => {
  const option = await refusal(load(folders, { configFile: 'nope.toml' }));
  assert.match(option.detail, 'nope.toml named by --config does not exist');
  const env = { TROVE_SERVER_CONFIG: '/nope/server.toml' };
  assert.match((await refusal(load(folders, { env }))).detail, 'TROVE_SERVER_CONFIG');
});

test('an invalid or unreadable file is an error that quotes no line', async (folders) => {
  await writeFile(join(folders.cwd, 'server.toml'), '[embedding]\napi_key = "s3cret" x\n');
  const error = await refusal(load(folders));
  assert.match(error.detail, 'server.toml');
  assert.match(error.detail, 'line 2');
  assert.not.match(error.detail, 's3cret');
  await rm(join(folders.cwd, 'server.toml'));
  await mkdir(join(folders.cwd, 'server.toml'));
  await refusal(load(folders));
});

test('an unknown section or key names the nearest known one and the file', async (folders) => {
  const path = join(folders.cwd, 'server.toml');
  for (const [toml, expected] of [
    [
      '[embeding]\nprovider = "x"',
      /section \[embeding\]: is not known, did you mean `embedding`\?/,
    ],
    ['[embedding]\nprovder = "x"', /embedding\.provder: is not known, did you mean `provider`\?/],
    ['namspace = "x"', /namspace: is not known, did you mean `namespace`\?/],
    ['embedding = "x"', /embedding: must be a section/],
    ['[embedding]\nbatch_size = "many"', /embedding\.batch_size: must be integer/],
    ['[worker]\nconcurrency = "some"', /worker\.concurrency: /],
    ['[server]\nallowed_roots = ["relative"]', /server\.allowed_roots/],
    ['[log]\nlevel = "loud"', /log\.level: must be one of debug, info, warn, error, silent/],
    ['[metadata]\nbackend = "postgres"', /metadata\.dsn: is required/],
    ['[plugins]\nslack = 3', /plugins\.slack: must be string/],
    ['[plugin_config.embeder.x]', /plugin_config\.embeder: is not known, did you mean `embedder`/],
    ['[plugin_config.embedder]\nx = 3', /plugin_config\.embedder\.x: must be object/],
    ['[plugin_config]\nconnector = 3', /plugin_config\.connector: must be object/],
  ] as const) {
    await writeFile(path, toml);
    const error = await refusal(load(folders, { configFile: path }));
    assert.match(error.detail, expected);
    if (!toml.includes('postgres')) assert.match(error.detail, path);
    assert.ok(error.suggestions.length > 0);
  }
});

test('refuses a key of mfs with its replacement', async (folders) => {
  const path = join(folders.cwd, 'server.toml');
  for (const [toml, suggestion] of [
    ['[milvus]\nuri = "x"', '`milvus`: Write `uri` and `token` in [index].'],
    ['[embedding]\ndim = 768', '`dim`: Write `dimension`.'],
    [
      '[server]\nin_process_jobrunner = true',
      '`in_process_jobrunner`: Write `in_process` in [worker].',
    ],
  ] as const) {
    await writeFile(path, toml);
    const { detail, suggestions } = await refusal(load(folders, { configFile: path }));
    assert.match(detail, /: is not known \(in/);
    assert.equal(suggestions, [suggestion]);
  }
});

test('several mistakes are reported together', async (folders) => {
  await writeFile(join(folders.cwd, 'server.toml'), 'x = 1\n[jobs]\nretention_days = 0\n');
  const { detail } = await refusal(load(folders));
  assert.match(detail, /x: is not known.*; jobs\.retention_days: must be >= 1/);
});

test('the environment overrides the file, and options override both', async (folders) => {
  await writeFile(
    join(folders.cwd, 'server.toml'),
    '[server]\nbind = "127.0.0.1:1"\n[jobs]\nretention_days = 3\n',
  );
  const env = { TROVE_SERVER_BIND: '127.0.0.1:2' };
  const loaded = await load(folders, { env });
  assert.is(loaded.settings.server.bind, '127.0.0.1:2');
  assert.is(loaded.settings.jobs.retention_days, 3);
  assert.is(loaded.origins.get('server.bind'), 'TROVE_SERVER_BIND');
  assert.is(loaded.origins.get('jobs.retention_days'), join(folders.cwd, 'server.toml'));
  assert.is(loaded.origins.get('jobs.other'), undefined);
  const options = [{ option: '--bind', path: ['server', 'bind'], value: '127.0.0.1:3' }];
  assert.is((await load(folders, { env, options })).settings.server.bind, '127.0.0.1:3');
});

test('every setting has a variable', () => {
  for (const { section, key } of settingKeys) {
    const variable = ['TROVE', section ?? [], key].flat().join('_').toUpperCase();
    const { overrides } = readEnvironment({ [variable]: 'x' });
    assert.equal(
      overrides.map(({ path }) => path),
      [section === null ? [key] : [section, key]],
      variable,
    );
  }
});

test('variables are converted to the type of their setting', async (folders) => {
  const { settings } = await load(folders, {
    env: {
      TROVE_NAMESPACE: 'n',
      TROVE_SERVER_ALLOWED_ROOTS: '/a, /b',
      TROVE_SERVER_CORS_ORIGINS: 'https://a.example',
      TROVE_TRANSFORMATION_CACHE_ENABLED: '0',
      TROVE_TRANSFORMATION_CACHE_MAX_SIZE_GB: '1.5',
      TROVE_WORKER_IN_PROCESS: 'False',
      TROVE_WORKER_CONCURRENCY: '3',
      TROVE_JOBS_RETENTION_DAYS: '7',
      TROVE_PLUGINS_SLACK: '@acme/trove-slack',
      TROVE_EMBEDDING_MODEL: '',
    },
  });
  assert.is(settings.namespace, 'n');
  assert.equal(settings.server.allowed_roots, ['/a', '/b']);
  assert.equal(settings.server.cors_origins, ['https://a.example']);
  assert.is(settings.transformation_cache.enabled, false);
  assert.is(settings.transformation_cache.max_size_gb, 1.5);
  assert.equal(settings.worker, {
    in_process: false,
    concurrency: 3,
    max_scheduled_jobs: 8,
  });
  assert.is(settings.jobs.retention_days, 7);
  assert.equal(settings.plugins, { slack: '@acme/trove-slack' });
  assert.is(settings.embedding.model, undefined);
});

test('plugins have sections and variables', async (folders) => {
  await writeFile(
    join(folders.home, 'server.toml'),
    '[plugin_config.embedder.voyage]\ntruncate = true\nlimit = 3\n[plugin_config.connector.slack]\ndeep = { a = 1 }\n',
  );
  const { settings, origins, ignored } = await load(folders, {
    env: {
      TROVE_PLUGIN_CONFIG_EMBEDDER_VOYAGE_LIMIT: '4',
      TROVE_PLUGIN_CONFIG_VECTOR_INDEX_S3_STORAGE_CLASS: 'cold',
      TROVE_PLUGIN_CONFIG_CONNECTOR_SLACK_TEAM: '"007"',
      TROVE_PLUGIN_CONFIG_CONNECTOR_SLACK: 'x',
      TROVE_PLUGIN_CONFIG_NOTHING_SLACK_TEAM: 'x',
    },
  });
  assert.equal(settings.plugin_config, {
    embedder: { voyage: { truncate: true, limit: 4 } },
    connector: { slack: { deep: { a: 1 }, team: '007' } },
    'vector-index': { s3: { storage_class: 'cold' } },
  });
  assert.is(
    origins.get('plugin_config.embedder.voyage.limit'),
    'TROVE_PLUGIN_CONFIG_EMBEDDER_VOYAGE_LIMIT',
  );
  assert.match(origins.get('plugin_config.embedder.voyage.truncate') ?? '', 'server.toml');
  assert.equal(ignored, [
    'TROVE_PLUGIN_CONFIG_CONNECTOR_SLACK',
    'TROVE_PLUGIN_CONFIG_NOTHING_SLACK_TEAM',
  ]);
});

test('a variable of the wrong type is refused without showing its value', async (folders) => {
  const error = await refusal(load(folders, { env: { TROVE_EMBEDDING_BATCH_SIZE: 'c4n4ry' } }));
  assert.is(error.detail, 'embedding.batch_size: must be integer (in TROVE_EMBEDDING_BATCH_SIZE)');
});

test('TROVE_API_TOKEN overrides every other token', async (folders) => {
  await writeFile(join(folders.cwd, 'server.toml'), 'auth_token = "file"');
  const env = { TROVE_AUTH_TOKEN: 'variable' };
  assert.is((await load(folders, { env })).settings.auth_token, 'variable');
  const both = { ...env, TROVE_API_TOKEN: 'api' };
  assert.is((await load(folders, { env: both })).settings.auth_token, 'api');
  const empty = { ...env, TROVE_API_TOKEN: '' };
  assert.is((await load(folders, { env: empty })).settings.auth_token, 'variable');
});

test('variables that look like settings are reported, not refused', async (folders) => {
  const env = { TROVE_SERVER_PORT: 'tcp://10.0.0.1:80', TROVE_OTHER: 'x', TROVE_CLI: 'x' };
  assert.equal((await load(folders, { env })).ignored, ['TROVE_SERVER_PORT']);
});

test('the report shows every setting with its origin and no secret', async (folders) => {
  await writeFile(
    join(folders.cwd, 'server.toml'),
    'auth_token = "s3cret-a"\n[embedding]\nprovider = "openai"\napi_key = "s3cret-b"\n' +
      'base_url = "https://user:s3cret-c@host/v1"\n[metadata]\nbackend = "postgres"\n' +
      'dsn = "postgres://u:s3cret-d@h/d"\n[index]\nuri = "db://u:s3cret-e@x"\ntoken = "s3cret-f"\n' +
      '[plugins]\nslack = "@acme/slack"\n',
  );
  const env = { TROVE_API_TOKEN: 's3cret-g', TROVE_LOG_LEVEL: 'warn' };
  const report = reportConfig(await load(folders, { env, configFile: 'server.toml' }), []);
  assert.not.match(report, 's3cret');
  for (const { name } of settingKeys) assert.match(report, new RegExp(`^${name} `, 'm'));
  assert.match(report, /^metadata +postgres/m);
  assert.match(report, /^worker +trove-server worker/m);
  assert.match(report, /^auth_token +\*\*\* +TROVE_API_TOKEN$/m);
  assert.match(report, /^log\.level +warn +TROVE_LOG_LEVEL$/m);
  assert.match(report, /^plugins\.slack +@acme\/slack +.*server\.toml$/m);
  assert.match(report, /^jobs\.retention_days +30 +default$/m);
});

test('parses an address to listen on', () => {
  assert.equal(parseBind('127.0.0.1:0'), { host: '127.0.0.1', port: 0 });
  assert.equal(parseBind('localhost:80'), { host: 'localhost', port: 80 });
  assert.equal(parseBind('[::1]:13619'), { host: '::1', port: 13_619 });
  for (const wrong of [
    '',
    '127.0.0.1',
    ':80',
    '80',
    '::1:80',
    'a:b',
    'a:65536',
    'http://a:80',
    'a:-1',
  ]) {
    assert.throws(() => parseBind(wrong), 'must be an address and a port', wrong);
  }
});

test.run();
