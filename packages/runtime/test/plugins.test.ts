import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { importPlugins, resolvePackage } from '../src/plugins/load-package.js';
import { PluginRegistry } from '../src/plugins/registry.js';

interface Context {
  app: string;
}

const test = suite<Context>('finding plugins');

test.before.each(async (context) => {
  context.app = await mkdtemp(join(tmpdir(), 'trove-app-'));
  await writeFile(join(context.app, 'package.json'), '{"type":"module"}');
});

test.after.each(async ({ app }) => {
  await rm(app, { recursive: true });
});

/** Installs a package in the app: its index.js and additional package.json members. */
async function install(
  app: string,
  name: string,
  source: string,
  manifest: object = { exports: { '.': { default: './index.js' } } },
): Promise<void> {
  const folder = join(app, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', ...manifest }),
  );
  await writeFile(join(folder, 'index.js'), source);
}

function registry(app: string, options: object = {}): PluginRegistry {
  return new PluginRegistry({
    appRoots: [join(app, 'package.json')],
    ...options,
  });
}

const connector = (scheme: string): string =>
  `export default { kind: 'connector', apiVersion: 1, keys: ['${scheme}'], configSchema: { type: 'object' },
     create: () => ({ async *list() {}, async read() { return { bytes: new Uint8Array() }; } }) };`;

test('an installed package with the conventional name serves its scheme', async ({ app }) => {
  await install(app, 'trove-connector-mail', connector('mail'));
  const plugin = await registry(app).get('connector', 'mail');
  assert.equal(plugin.keys, ['mail']);
});

test("instances precede the operator's map, which precedes built-in plugins", async ({ app }) => {
  await install(
    app,
    'mine',
    connector('mail').replace("kind: 'connector'", "defaultAuthority: 'mine', kind: 'connector'"),
  );
  await install(
    app,
    'theirs',
    connector('mail').replace("kind: 'connector'", "defaultAuthority: 'theirs', kind: 'connector'"),
  );
  const builtinPackages = { 'connector:mail': 'theirs' };
  const origin = async (options: object) =>
    Reflect.get(await registry(app, options).get('connector', 'mail'), 'defaultAuthority');
  assert.is(await origin({ builtinPackages }), 'theirs');
  assert.is(
    await origin({ builtinPackages, pluginPackages: { 'connector:mail': 'mine' } }),
    'mine',
  );
  const instance = {
    kind: 'connector' as const,
    apiVersion: 1 as const,
    keys: ['mail'],
    configSchema: {},
    defaultAuthority: 'instance',
    create: () => ({ list: async function* () {} }),
  };
  assert.is(await origin({ builtinPackages, plugins: [instance] }), 'instance');
});

test('the first root that has a package wins', async ({ app }) => {
  const other = join(app, 'other');
  await install(app, 'trove-connector-mail', connector('mail'));
  await install(other, 'trove-connector-post', connector('post'));
  const plugins = registry(app, { appRoots: [join(other, 'a.js'), join(app, 'a.js')] });
  assert.equal((await plugins.get('connector', 'post')).keys, ['post']);
  assert.equal((await plugins.get('connector', 'mail')).keys, ['mail']);
});

test('a missing package is named with its folders and known suggestions', async ({ app }) => {
  await install(app, 'trove-connector-mail', connector('mail'));
  const error = await rejection(() => registry(app).get('connector', 'mial'));
  assert.is(error.code, 'not_available');
  assert.match(error.message, `Looked for trove-connector-mial in ${app}`);
  assert.is(error.suggestions[0], 'Did you mean `mail`?');
  assert.not.match(error.suggestions.join(), 'npm install');
  const builtinPackages = { 'connector:post': 'known-to-exist' };
  const known = await rejection(() => registry(app, { builtinPackages }).get('connector', 'post'));
  assert.ok(known.suggestions.includes(`npm install --prefix ${app} known-to-exist`));
});

for (const [what, exports] of Object.entries({
  'an import condition alone': { '.': { import: './index.js' } },
  'conditions within conditions': { node: { import: './index.js' } },
  'a plain text': './index.js',
})) {
  test(`a package whose exports have ${what} is imported`, async ({ app }) => {
    await install(app, 'trove-connector-mail', connector('mail'), { exports });
    assert.equal((await registry(app).get('connector', 'mail')).keys, ['mail']);
  });
}

test('exports with a missing file fail to load and name it', async ({ app }) => {
  await install(app, 'trove-connector-mail', connector('mail'), { exports: './dist/gone.js' });
  const error = await rejection(() => registry(app).get('connector', 'mail'));
  assert.is(error.code, 'plugin_failed_to_load');
  assert.match(error.message, './dist/gone.js');
});

test('lists packages with the conventional name except broken ones', async ({ app }) => {
  await install(app, 'trove-connector-mail', "throw new Error('imported');");
  await install(app, 'trove-connector-post', '', { exports: { './other': './index.js' } });
  await install(app, 'trove-embedder-big', '');
  assert.equal(registry(app).keys('connector'), ['mail']);
});

test('a scheme from outside never becomes a path or a foreign package name', async ({ app }) => {
  for (const scheme of ['../../etc', 'a/b', '@evil/x', 'node:fs', '..', '']) {
    const error = await rejection(() => registry(app).get('connector', scheme));
    assert.is(error.code, 'not_available', scheme);
  }
});

test('a package without a usable export is reported', async ({ app }) => {
  await install(app, 'trove-connector-mail', connector('mail'), {
    exports: { './other': './index.js' },
  });
  assert.is(
    (await rejection(() => registry(app).get('connector', 'mail'))).code,
    'plugin_not_exported',
  );
});

test('a failed import keeps its cause and is no missing package', async ({ app }) => {
  await install(app, 'trove-connector-mail', "import 'a-dependency-that-is-absent';");
  const error = await rejection(() => registry(app).get('connector', 'mail'));
  assert.is(error.code, 'plugin_failed_to_load');
  assert.match(error.message, /a-dependency-that-is-absent/);
  assert.ok(error.cause instanceof Error);
});

test('an endless import fails to load', async ({ app }) => {
  await install(app, 'trove-connector-mail', 'await new Promise(() => {});');
  const file = resolvePackage('trove-connector-mail', [`${app}/package.json`]);
  const url = pathToFileURL(file ?? '').href;
  const error = await rejection(() => importPlugins('trove-connector-mail', url, 200));
  assert.is(error.code, 'plugin_failed_to_load');
  assert.match(error.message, 'longer than 0.2 s');
});

test('every wrong member of a plugin is named', async ({ app }) => {
  await install(
    app,
    'trove-connector-mail',
    "export default { kind: 'connector', keys: ['Mail Box'], timeoutMs: 0 };",
  );
  const error = await rejection(() => registry(app).get('connector', 'mail'));
  assert.is(error.code, 'plugin_invalid');
  for (const member of ['apiVersion', 'keys', 'timeoutMs', 'create', 'configSchema']) {
    assert.match(error.message, member);
  }
});

for (const [member, advice] of [
  ['capabilites: {}', 'capabilites is not a member of the contract. Did you mean capabilities?'],
  ['capabilities: { sinse: true }', 'Did you mean capabilities.since?'],
  ['capabilities: { grep: { ignorecase: true } }', 'Did you mean capabilities.grep.ignoreCase?'],
  ['capabilities: { grep: true }', 'capabilities.grep must be an object'],
  ['setup: { questions: [] }', 'setup.address must have `ask` and a function `read`'],
  ['setup: { address: { ask: "", read() {} } }', 'setup.questions must be an array'],
  [
    'setup: { address: { ask: "", read() {} }, questions: [{ ask: "", setting: "key" }] }',
    'setup.questions: the schema has no setting `key`',
  ],
  ['zzzzzzzz: 1', 'zzzzzzzz is not a member of the contract. Known members: kind'],
] as const) {
  test(`the wrong member ${member} of a plugin is named`, async ({ app }) => {
    await install(
      app,
      'trove-connector-mail',
      connector('mail').replace('apiVersion: 1', `apiVersion: 1, ${member}`),
    );
    const error = await rejection(() => registry(app).get('connector', 'mail'));
    assert.is(error.code, 'plugin_invalid');
    assert.match(error.message, advice);
  });
}

test('an invalid configSchema is named', async ({ app }) => {
  await install(
    app,
    'trove-connector-mail',
    connector('mail').replace("{ type: 'object' }", "{ type: 'objekt' }"),
  );
  const error = await rejection(() => registry(app).get('connector', 'mail'));
  assert.is(error.code, 'plugin_invalid');
  assert.match(error.message, 'configSchema');
});

test('a plugin for another API version is refused', async ({ app }) => {
  await install(
    app,
    'trove-connector-mail',
    connector('mail').replace('apiVersion: 1', 'apiVersion: 2'),
  );
  const error = await rejection(() => registry(app).get('connector', 'mail'));
  assert.is(error.code, 'plugin_api_mismatch');
  assert.match(error.message, /2.*1/);
});

test('a package without a plugin for the key is refused', async ({ app }) => {
  await install(app, 'trove-connector-mail', connector('post'));
  assert.is((await rejection(() => registry(app).get('connector', 'mail'))).code, 'plugin_invalid');
});

test('lists installed packages without importing them', async ({ app }) => {
  await install(app, 'mine', "throw new Error('imported');");
  const plugins = registry(app, {
    pluginPackages: { 'connector:mail': 'mine', 'connector:gone': 'absent' },
  });
  assert.equal(plugins.keys('connector'), ['mail']);
});

test.run();
