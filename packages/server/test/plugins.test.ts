import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command } from './support/command.js';

const test = suite('trove-server plugins');
let root: string;

test.before(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'trove-plugins-')));
  await install('trove-connector-wiki', plugin('wiki'));
  await install('trove-connector-broken', 'throw new Error("no such driver");');
  await install('notes-for-trove', plugin('notes'));
  await writeFile(
    join(root, 'server.toml'),
    '[plugins]\nnotes = "notes-for-trove"\nvoyage = "trove-voyage"\n',
  );
});
test.after(() => rm(root, { recursive: true, force: true }));

const plugin = (scheme: string): string =>
  `export default { kind: 'connector', apiVersion: 1, keys: ['${scheme}'], configSchema: { type: 'object' }, create: () => ({}) };`;

async function install(name: string, code: string): Promise<void> {
  const folder = join(root, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  const manifest = { name, type: 'module', exports: './index.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'index.js'), code);
}

test('lists the package, origin and problem of each key', async () => {
  const command = new Command(['plugins', '--config', join(root, 'server.toml')], {
    cwd: root,
    env: { HOME: root, TROVE_HOME: join(root, 'home') },
  });
  const { code, stdout, stderr } = await command.finished;
  assert.is(code, 0, stderr);
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  const row = (key: string) => rows.find(([, given]) => given === key)?.slice(2);
  const file = (name: string) => join(root, 'node_modules', name, 'index.js');
  assert.equal(row('wiki'), ['trove-connector-wiki', 'installed', file('trove-connector-wiki')]);
  assert.equal(row('notes'), ['notes-for-trove', '[plugins]', file('notes-for-trove')]);
  assert.equal(row('broken'), [
    'trove-connector-broken',
    'installed',
    'unusable: plugin_failed_to_load',
  ]);
  assert.equal(row('voyage'), ['trove-voyage', '[plugins]', 'unusable: not_available']);
  assert.match(row('lexical')?.join(' ') ?? '', /^@trove\/embedder-lexical built in \/.*\.js$/);
  assert.match(stdout, 'connector broken: trove-connector-broken is installed');
  assert.match(stdout, 'no such driver');
});

test.run();
