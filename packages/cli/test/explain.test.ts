import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { place } from './support/place.js';

const test = suite('explain and doctor, with a real server');

test('explains why a path is found or not, and what to do', async () => {
  await using here = await place();
  const { ok, trove, notes, home } = here;
  await mkdir(join(notes, 'node_modules', 'x'), { recursive: true });
  await mkdir(join(notes, 'drafts'));
  await writeFile(join(notes, 'node_modules', 'x', 'a.js'), 'code');
  await writeFile(join(notes, '.env'), 'SECRET=1');
  await writeFile(join(notes, '.gitignore'), 'drafts/\n');
  await writeFile(join(notes, 'drafts', 'a.md'), 'draft');
  await writeFile(join(notes, 'bin.dat'), Buffer.from([0, 1, 2, 255, 0, 7]));
  await writeFile(join(notes, 'large.txt'), 'x'.repeat(3000));
  await symlink('/etc/hostname', join(notes, 'out'));
  await symlink('nowhere', join(notes, 'broken'));
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'server.toml'), '[ingest]\nmax_file_bytes = 2000\n');
  await ok('serve', 'start');
  await ok('add', 'notes');
  await writeFile(join(notes, 'broken.pdf'), '%PDF-1.4\nbroken');
  assert.is((await trove('add', 'notes')).code, 1);
  await writeFile(join(notes, 'later.md'), 'later');
  for (const [path, verdict, text, hint] of [
    ['notes/lunch.txt', 'indexed', /^notes\/lunch\.txt is indexed; /, /trove add notes/],
    ['notes/.env', 'not_indexed', /ignored by "\.env" \(built in: it may hold secrets\)/, /grep/],
    ['notes/node_modules', 'not_indexed', /ignored by "node_modules\/" \(built in\)/, /cat/],
    ['notes/node_modules/x/a.js', 'not_indexed', /node_modules is ignored by/, /cat/],
    ['notes/node_modules/none/b', 'not_indexed', /left out with notes\/node_modules: /, /cat/],
    ['notes/drafts/a.md', 'not_indexed', /ignored by "drafts\/" .*\.gitignore/, /cat/],
    ['notes/bin.dat', 'not_indexed', /: not a text/, /^$/],
    ['notes/large.txt', 'not_indexed', /larger than 2000 bytes/, /Raise \[ingest\]/],
    ['notes/out', 'not_indexed', /a link that leads out of the source/, /as another source/],
    ['notes/broken', 'not_indexed', /a link that leads nowhere/, /^$/],
    [
      'notes/broken.pdf',
      'not_indexed',
      /The document (?:is not a readable|does not start like a) PDF/,
      /save it again/,
    ],
    ['notes/later.md', 'not_indexed', /not synced yet/, /trove add notes/],
    ['notes/ops', 'folder', /is a folder of a source/, /trove ls notes\/ops/],
    ['notes', 'folder', /is a source with \d+ objects, synced (just now|\d+ min ago)/, /^$/],
    [
      'notes/none/at/all',
      'missing',
      /^notes\/none\/at\/all does not exist in the source notes/,
      /^$/,
    ],
    ['.', 'not_part', /not part of any source; it contains 1 source: notes/, /^$/],
    ['/usr', 'not_part', /^\/usr is not part of any source/, /trove add \/usr/],
    ['/no/such', 'missing', /does not exist and is not part/, /trove status/],
  ] as const) {
    const answer = JSON.parse(await ok('explain', path, '--json'));
    assert.is(answer.verdict, verdict, path);
    assert.match(answer.detail, text);
    assert.match(answer.suggestions.join('\n'), hint, path);
  }
  assert.match(await ok('explain', 'notes/lunch.txt'), 'notes/lunch.txt is indexed');
});

test('doctor reports problems with advice', async () => {
  await using here = await place();
  const { ok, trove, home } = here;
  const none = await trove('doctor');
  assert.is(none.code, 1);
  assert.match(none.stdout, /note {2}home +\S+ does not exist yet/);
  assert.match(none.stdout, /BAD {3}server +no answer from .*\n.*→ trove serve start/);

  await ok('serve', 'start');
  assert.match(await ok('doctor'), /note {2}sources +no sources\n.*→ Add one: trove add PATH/);
  await ok('add', 'notes');
  const good = await ok('doctor');
  for (const name of [
    'home',
    'disk',
    'server',
    'token',
    'versions',
    'plugins',
    'sources',
    'jobs',
  ]) {
    assert.match(good, new RegExp(`^ok +${name} `, 'm'));
  }
  await chmod(join(home, 'server.token'), 0o644);
  const open = await ok('doctor');
  assert.match(
    open,
    /note {2}secrets +other users of this machine can read \S+server\.token.*\n.*→ chmod 600/,
  );

  const profile = `active = "a"\n[profiles.a]\nendpoint = "${here.endpoint}"\ntoken = "wrong"\n`;
  await writeFile(join(home, 'client.toml'), profile);
  const refused = await trove('doctor', '--json');
  assert.is(refused.code, 1);
  const checks: { name: string; state: string; detail: string }[] = JSON.parse(refused.stdout);
  const token = checks.find(({ name }) => name === 'token');
  assert.equal(
    [token?.state, token?.detail],
    ['failed', 'the server rejected the token from client.toml'],
  );
});

test('adds, lists and uses profiles without changing the rest of the file', async () => {
  await using here = await place();
  const { ok, trove, home } = here;
  const path = join(home, 'client.toml');
  await mkdir(home, { recursive: true });
  await writeFile(path, '# mine\n[profiles.old] # the old one\nendpoint = "http://127.0.0.1:9"\n');
  await chmod(path, 0o644);
  await ok('profile', 'add', 'work', '--endpoint', 'https://x.example/', '--token', 'env:WORK');
  await ok(
    'profile',
    'add',
    'more',
    '--endpoint',
    'https://y.example',
    '--token',
    's3cret',
    '--use',
  );
  assert.is((await stat(path)).mode & 0o777, 0o600);
  const listed = await ok('profile', 'list');
  assert.match(listed, /^ {3}work +https:\/\/x\.example +env:WORK$/m);
  assert.match(listed, /^\* {2}more +https:\/\/y\.example +\*\*\*$/m);
  assert.not(listed.includes('s3cret'));
  await ok('profile', 'use', 'old');
  assert.is(
    await readFile(path, 'utf8'),
    'active = "old"\n# mine\n[profiles.old] # the old one\nendpoint = "http://127.0.0.1:9"\n\n' +
      '[profiles.work]\nendpoint = "https://x.example"\ntoken = "env:WORK"\n\n' +
      '[profiles.more]\nendpoint = "https://y.example"\ntoken = "s3cret"\n',
  );
  for (const [args, message] of [
    [['use', 'none'], / has no profile "none"\nhint: Known: old, work, more/],
    [['add', 'work', '--endpoint', 'https://z.example'], /the profile "work" already exists/],
    [['add', 'a b', '--endpoint', 'https://z.example'], /NAME must be/],
    [['add', 'new'], /--endpoint is missing/],
    [['add', 'new', '--endpoint', 'ftp://z'], /is not an endpoint/],
  ] as const) {
    const { code, stderr } = await trove('profile', ...args);
    assert.is(code, 2);
    assert.match(stderr, message);
  }
  const withOption = ['--profile', 'more', '--endpoint', 'https://y.example'];
  const other = JSON.parse(await ok('config', 'show', '--profile', 'more', '--json'));
  assert.is(
    other.find((each: { name: string }) => each.name === 'endpoint').source,
    'TROVE_ENDPOINT',
  );
  const shown = JSON.parse(await ok('config', 'show', ...withOption, '--json'));
  const setting = (name: string) => shown.find((each: { name: string }) => each.name === name);
  assert.equal(
    [setting('token').value, setting('token').source],
    ['***', `${path} [profiles.more]`],
  );
  assert.is(setting('home').source, 'TROVE_HOME');
  assert.not((await ok('config', 'show', ...withOption)).includes('s3cret'));
});

test('lists and changes sources with trove connector', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  await ok('serve', 'start');
  assert.match(await ok('connector', 'probe', 'notes'), /reachable +yes/);
  await ok('connector', 'add', 'notes');
  const rules = join(notes, '..', 'rules.toml');
  await writeFile(rules, 'ignore = ["ops/"]\n');
  assert.match(await ok('connector', 'update', 'notes', '--config', rules), /1 removed/);
  assert.match(await ok('connector', 'inspect', 'notes'), /ops/);
  assert.match(await ok('connector', 'list'), /^notes +file +active +1 +just now$/m);
  await ok('connector', 'remove', 'notes');
  assert.match((await trove('connector', 'list')).stderr, 'No sources yet');
});

test.run();
