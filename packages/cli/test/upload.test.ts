// test-timeout: 400
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { freePort } from '@trove/test-support/free-port.js';
import { createBundle, BrokenBundleError } from '../src/upload/bundle.js';
import { fileAt, type LocalFile } from '../src/upload/files.js';
import { hashFiles } from '../src/upload/file-reader.js';
import { startApi } from './support/api-server.js';
import { temporaryHome } from './support/home.js';
import { jobOf } from './support/samples.js';
import { runTrove } from './support/trove.js';

const test = suite('uploads');

/** Creates a server and a folder of notes to upload. */
async function place(settings = '') {
  const home = await temporaryHome();
  await mkdir(join(home.path, 'home'));
  await writeFile(join(home.path, 'home', 'server.toml'), settings);
  const notes = join(home.path, 'notes');
  await mkdir(join(notes, 'ops'), { recursive: true });
  await writeFile(join(notes, 'ops', 'tokens.md'), '# Rotation\n\nTokens are rotated nightly.\n');
  await writeFile(join(notes, 'lunch.txt'), 'Soup on Mondays.\n');
  const env = { TROVE_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  const trove = (...args: string[]) =>
    runTrove(args, { home: join(home.path, 'home'), cwd: home.path, env });
  /** Runs a command that must succeed. Returns all its output. */
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await trove(...args);
    assert.is(code, 0, `trove ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout + stderr;
  };
  await ok('serve', 'start');
  return {
    notes,
    trove,
    ok,
    stored: async () => {
      const uploads = join(home.path, 'home', 'uploads');
      const [database] = await readdir(uploads);
      return readdir(join(uploads, `${database}`));
    },
    async [Symbol.asyncDispose]() {
      await trove('serve', 'stop');
      await home[Symbol.asyncDispose]();
    },
  };
}

test('uploads, searches, changes, renames, deletes, uploads again, removes', async () => {
  await using here = await place();
  const { ok, notes } = here;
  await writeFile(join(notes, '.env'), 'KEY=secret\n');
  await writeFile(join(notes, '.gitignore'), '*.log\n');
  await writeFile(join(notes, 'x.log'), 'ignored\n');
  await symlink('lunch.txt', join(notes, 'link.txt'));
  const first = await ok('add', 'notes', '--upload');
  assert.match(first, /Sent 3 files, \d+ B\./);
  assert.match(first, '3 added');
  const { connectors } = JSON.parse(await ok('status', '--json'));
  const root = String(connectors[0].root_uri);
  assert.match(root, new RegExp(`^file://[\\w.-]+-[0-9a-f]{8}${notes}$`));
  const [line = ''] = (await ok('search', 'when are tokens rotated', '--json')).split('\n');
  const hit = JSON.parse(line);
  assert.is(hit.source, `${root}/ops/tokens.md`);
  assert.match(await ok('cat', hit.source), 'rotated nightly');
  // Uploaded files keep their local names in the output.
  assert.match(await ok('search', 'when are tokens rotated'), 'notes/ops/tokens.md:');
  assert.match(await ok('cat', 'notes/ops/tokens.md'), 'rotated nightly');
  assert.match(await ok('ls', 'notes/ops'), 'tokens.md');

  const explained = async (path: string): Promise<{ verdict: string; detail: string }> =>
    JSON.parse(await ok('explain', path, '--json'));
  assert.is((await explained('notes/ops/tokens.md')).verdict, 'indexed');
  for (const [path, why] of [
    ['notes/.env', 'is not uploaded: .env is ignored by ".env" (built in'],
    ['notes/x.log', 'x.log is ignored by "*.log" (.gitignore:1)'],
    ['notes/link.txt', 'a link'],
    ['notes/new.txt', 'is not uploaded yet'],
  ] as const) {
    if (path === 'notes/new.txt') await writeFile(join(notes, 'new.txt'), 'new\n');
    const { verdict, detail } = await explained(path);
    assert.is(verdict, 'not_indexed', path);
    assert.match(detail, why);
  }
  assert.is((await explained('notes/gone.txt')).verdict, 'missing');
  await rm(join(notes, 'new.txt'));

  for (const flags of [['--upload'], []]) {
    const again = await ok('add', 'notes', ...flags);
    assert.not.match(again, 'Sent');
    assert.match(again, '3 unchanged');
  }
  assert.is(JSON.parse(await ok('status', '--json')).connectors.length, 1, 'it is one source');

  await writeFile(join(notes, 'lunch.txt'), 'Pizza on Fridays.\n');
  await rename(join(notes, 'ops', 'tokens.md'), join(notes, 'tokens.md'));
  await rm(join(notes, '.gitignore'));
  const second = await ok('add', 'notes', '--upload');
  assert.match(second, 'Sent 2 files', 'the log is no longer ignored');
  assert.match(second, /1 added, 2 changed, 1 removed/);
  assert.match(await ok('cat', `${root}/tokens.md`), 'rotated nightly');
  assert.match(await ok('grep', 'Pizza', root), 'lunch.txt');

  await utimes(join(notes, 'lunch.txt'), 1, 1);
  assert.not.match(await ok('add', 'notes', '--upload'), 'Sent', 'it only looks changed');
  assert.match(await ok('add', 'notes', '--force-upload'), 'Sent 3 files');
  assert.match(await ok('remove', 'notes'), 'Removed notes');
  assert.equal(await here.stored(), []);
  assert.is((await here.trove('ls', 'notes')).code, 1, 'its path is that of the server again');
});

test('rejects invalid uploads before it sends anything', async () => {
  await using here = await place();
  const { trove, notes } = here;
  for (const [args, reason] of [
    [['slack://acme', '--upload'], '--upload needs a local folder, not a URI'],
    [[join(notes, 'lunch.txt'), '--upload'], 'only folders can be uploaded'],
    [['nowhere', '--upload'], 'there is no folder'],
    [['notes', '--no-upload', '--force-upload'], 'cannot be combined'],
    [['notes', '--upload', '--since', '2026-01-01'], '--since'],
    [['notes', '--upload', '--every', '1h'], 'A schedule cannot be combined with an upload'],
    [['notes', '--upload', '--watch'], '--watch cannot be combined with an upload'],
  ] as const) {
    const { code, stderr } = await trove('add', ...args);
    assert.is(code, 2, stderr);
    assert.match(stderr, reason);
  }
});

test('sends smaller parts to a server with lower limits, and names large files', async () => {
  await using here = await place('[uploads]\nmax_bytes = 20_000\n');
  const { ok, trove, notes } = here;
  for (let at = 0; at < 12; at++) {
    await writeFile(join(notes, `${at}.txt`), `Soup ${at}, `.padEnd(5000, `soup${at} `));
  }
  assert.match(await ok('add', 'notes', '--upload'), 'Sent 14 files');
  const objects = async () => JSON.parse(await ok('status', '--json')).connectors[0].object_count;
  assert.is(await objects(), 14);
  await writeFile(join(notes, 'large.txt'), 'soup '.repeat(5000));
  const refused = await trove('add', 'notes', '--upload');
  assert.is(refused.code, 1);
  assert.match(refused.stderr, /^error: large\.txt \(25(\.0)? kB\) is too large for the server: /m);
  assert.match(refused.stderr, '[uploads].max_bytes');
  assert.is(await objects(), 14);
});

test('sets the configuration of a source after its upload', async () => {
  await using here = await place();
  const { ok, notes } = here;
  await writeFile(join(notes, '..', 'c.toml'), 'ignore = ["*.txt"]\n');
  await ok('add', 'notes', '--upload', '--config', 'c.toml');
  const objects = async () => JSON.parse(await ok('status', '--json')).connectors[0].object_count;
  assert.is(await objects(), 1);
  await writeFile(join(notes, 'new.md'), '# New\n');
  await ok('connector', 'update', 'notes', '--upload');
  assert.is(await objects(), 2, 'the configuration stays');
  assert.match((await here.trove('connector', 'update', 'ops', '--upload')).stderr, 'ops');
});

test('uploads automatically if the server runs on another machine', async () => {
  await using home = await temporaryHome();
  await mkdir(join(home.path, 'notes'));
  await writeFile(join(home.path, 'notes', 'a.md'), '# A\n');
  await using api = await startApi({
    'GET /v1/server/info': () => ({ version: '1', machine_id: 'another', namespace: 'default' }),
    'POST /v1/files/manifest': () => ({
      connector_uri: 'file://me/notes',
      staging: 's',
      need_sha1: ['a.md'],
      stored: [],
      deletion_candidates: [],
    }),
    'PUT /v1/files/upload': () => ({ job_id: 'job-1', overlaps: [], warnings: [] }),
    'POST /v1/add': () => ({ job_id: 'job-1', overlaps: [], warnings: [] }),
    'GET /v1/jobs/job-1': () => jobOf({}),
  });
  const add = (...args: string[]) =>
    runTrove(['add', 'notes', ...args, '--endpoint', api.endpoint], {
      home: join(home.path, 'home'),
      cwd: home.path,
    });
  const sent = () => api.received.splice(0).map(({ route }) => route);
  const answer = await add();
  assert.is(answer.code, 0, answer.stderr);
  assert.equal(sent(), [
    'GET /v1/server/info',
    'POST /v1/files/manifest',
    'PUT /v1/files/upload',
    'GET /v1/jobs/job-1',
  ]);
  await add('--no-upload');
  assert.equal(sent(), ['POST /v1/add', 'GET /v1/jobs/job-1']);
});

async function files(home: string, contents: Readonly<Record<string, string>>) {
  const made: LocalFile[] = [];
  for (const [path, content] of Object.entries(contents)) {
    await writeFile(join(home, path), content);
    const file = fileAt(path, join(home, path));
    if (file !== null) made.push(file);
  }
  return made;
}

async function drain(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

/** Returns the bytes of a bundle. Calls `change` after its first piece. */
async function bundled(send: readonly LocalFile[], leftOut: string[], meanwhile = (): void => {}) {
  const hashes = await hashFiles(send, async () => {});
  meanwhile();
  const plan = { known: [], renames: [], deletions: [], send };
  const pieces: Uint8Array[] = [];
  for await (const piece of createBundle(plan, hashes, {
    onSent: async () => {},
    onLeftOut: ({ path }) => void leftOut.push(path),
  })) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('latin1');
}

test('leaves out a file that changed after it was hashed', async () => {
  await using home = await temporaryHome();
  const send = await files(home.path, { a: 'aaaa', b: 'bbbb', c: 'cccc' });
  const leftOut: string[] = [];
  const bytes = await bundled(send, leftOut, () => appendFileSync(join(home.path, 'b'), 'more'));
  assert.equal(leftOut, ['b']);
  assert.ok(bytes.includes('aaaa') && bytes.includes('cccc') && !bytes.includes('bbbb'));
});

test('breaks the bundle if a large file changes while it is sent', async () => {
  await using home = await temporaryHome();
  const [large] = await files(home.path, { large: 'x'.repeat(5 * 2 ** 20) });
  assert.ok(large);
  for (const content of ['y'.repeat(5 * 2 ** 20), 'short']) {
    await writeFile(large.absolutePath, 'x'.repeat(5 * 2 ** 20));
    const now = fileAt('large', large.absolutePath);
    assert.ok(now);
    const hashes = await hashFiles([now], async () => {});
    await writeFile(large.absolutePath, content);
    const plan = { known: [], renames: [], deletions: [], send: [now] };
    const events = { onSent: async () => {}, onLeftOut: () => {} };
    let error: unknown = null;
    try {
      await drain(createBundle(plan, hashes, events));
    } catch (thrown) {
      error = thrown;
    }
    assert.instance(error, BrokenBundleError);
  }
});

test.run();
