// test-timeout: 400
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tarOf, tarType, type RawMember } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, type Answer } from './support/server.js';
import { treesIn } from './support/trees.js';

const test = suite('uploads of changes');

let world: World;
let server: Running;

test.before.each(async () => {
  world = await makeWorld();
  server = await startReal(world);
});
test.after.each(async () => {
  await server.close();
  await removeWorld(world);
});

const laptop = { client_id: 'laptop', root: '/home/me/notes' };
const uri = 'file://laptop/home/me/notes';

interface Listed {
  readonly path: string;
  readonly size: number;
  readonly mtime_ns: number | string;
  readonly inode?: number | string | null;
}

interface Manifest {
  readonly connector_uri: string;
  readonly staging: string;
  readonly need_sha1: readonly string[];
  readonly stored: readonly { path: string; sha1: string }[];
  readonly deletion_candidates: readonly unknown[];
}

async function manifest(files: readonly Listed[], whose: object = laptop): Promise<Manifest> {
  const answer = await call(server.host, '/v1/files/manifest', {
    method: 'POST',
    body: { ...whose, files },
  });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as Manifest;
}

const sha1 = (content: string): string => createHash('sha1').update(content).digest('hex');

/** A file in the manifest of a client. */
function seen(
  path: string,
  content: string,
  mtime_ns: number | string = '1700000000123456789',
  inode = 7,
) {
  return { path, sha1: sha1(content), size: content.length, mtime_ns, inode };
}

const listed = ({ sha1: _sha1, ...file }: ReturnType<typeof seen>): Listed => file;

function put(meta: object, members: readonly RawMember[] = [], query = ''): Promise<Answer> {
  const text = JSON.stringify({ hashes: [], renames: [], deletions: [], ...meta });
  const body = tarOf({ name: '.trove-meta.json', content: text }, ...members);
  const { client_id, root } = laptop;
  return call(server.host, `/v1/files/upload?client_id=${client_id}&root=${root}${query}`, {
    method: 'PUT',
    body,
    headers: { 'content-type': tarType },
  });
}

async function jobOf(answer: Answer): Promise<Record<string, unknown>> {
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  const { job_id } = answer.body as { job_id: string };
  return (await call(server.host, `/v1/jobs/${job_id}`)).body as Record<string, unknown>;
}

const counts = ({ added, changed, removed, unchanged }: Record<string, unknown>) => [
  added,
  changed,
  removed,
  unchanged,
];

async function textOf(path: string): Promise<string | null> {
  const { status, body } = await call(server.host, `/v1/cat?path=${uri}/${path}`);
  return status === 200 ? (body as { content: string }).content : null;
}

async function trees(): Promise<string[]> {
  return treesIn(join(world.root, 'home'));
}

const one = seen('one.md', '# One');
const two = seen('deep/two.md', '# Two', Number('1700000000000000123'), 8);
const both = { hashes: [one, two] };
const members = [
  { name: 'one.md', content: '# One' },
  { name: 'deep/two.md', content: '# Two' },
];

test('a manifest of an unknown source requests all files and registers nothing', async () => {
  const asked = await manifest([listed(one), listed(two)]);
  assert.is(asked.connector_uri, uri);
  assert.type(asked.staging, 'string');
  assert.equal(asked.need_sha1, ['one.md', 'deep/two.md']);
  assert.equal([asked.stored, asked.deletion_candidates], [[], []]);
  const status = await call(server.host, '/v1/status');
  assert.equal((status.body as { connectors: unknown }).connectors, []);
  assert.equal(await trees(), []);
});

test('requests files that the server lost', async () => {
  await jobOf(await put(both, members));
  for (const tree of await trees()) await rm(tree, { recursive: true });
  assert.is(await textOf('one.md'), null);
  assert.equal((await manifest([listed(one), listed(two)])).need_sha1, ['one.md', 'deep/two.md']);
  await jobOf(await put(both, members));
  assert.is(await textOf('one.md'), '# One');
});

test('does not request files twice', async () => {
  assert.equal(counts(await jobOf(await put(both, members))), [2, 0, 0, 0]);
  assert.is(await textOf('deep/two.md'), '# Two');
  const same = await manifest([listed(one), listed(two)]);
  assert.equal([same.need_sha1, same.stored, same.deletion_candidates], [[], [], []]);
  // The time has lost digits of its nanoseconds in transit. The inode may be missing.
  const rounded = { ...listed(one), mtime_ns: Number(one.mtime_ns), inode: null };
  assert.equal((await manifest([rounded, { ...listed(two), inode: '8' }])).need_sha1, []);
  for (const change of [{ size: 6 }, { mtime_ns: '1700000001123456789' }, { inode: 9 }]) {
    const changed = await manifest([{ ...listed(one), ...change }]);
    assert.equal(changed.need_sha1, ['one.md'], JSON.stringify(change));
    assert.equal(changed.stored, [{ path: 'one.md', sha1: one.sha1 }]);
    const { path, size, inode } = two;
    assert.equal(changed.deletion_candidates, [{ path, size, inode, sha1: two.sha1 }]);
  }
  const other = await manifest([], { ...laptop, root: '/home/me' });
  assert.equal(other.deletion_candidates, [], 'another root is another source');
});

test('indexes only changed and new files and removes deleted ones', async () => {
  await put(both, members);
  const three = seen('three.md', '# Three');
  const changed = seen('one.md', '# One, again');
  const answer = await put({ hashes: [three, changed], deletions: ['deep/two.md'] }, [
    { name: './three.md', content: '# Three' },
    { name: 'one.md', content: '# One, again' },
  ]);
  assert.equal(counts(await jobOf(answer)), [1, 1, 1, 0]);
  assert.equal([await textOf('one.md'), await textOf('deep/two.md')], ['# One, again', null]);
  const touched = { ...changed, mtime_ns: '1800000000000000000', inode: 70 };
  assert.equal(counts(await jobOf(await put({ hashes: [touched] }))), [0, 0, 0, 2]);
  assert.equal((await manifest([listed(touched), listed(three)])).need_sha1, []);
  const full = await jobOf(await put({}, [], '&full=true'));
  assert.equal(counts(full), [0, 2, 0, 0], 'everything is indexed again');
  await server.close();
  assert.is((await trees()).length, 1);
  server = await startReal(world);
  assert.is(await textOf('three.md'), '# Three');
});

test('a rename keeps the stored bytes, and a mismatch requests the file', async () => {
  await put(both, members);
  const renamed = { ...one, path: 'first/one.md' };
  const rename = { old: 'one.md', new: 'first/one.md', sha1: one.sha1 };
  const job = await jobOf(await put({ hashes: [renamed], renames: [rename] }));
  assert.equal(counts(job), [0, 1, 0, 1], JSON.stringify(job));
  assert.equal([await textOf('one.md'), await textOf('first/one.md')], [null, '# One']);
  assert.equal((await manifest([listed(renamed), listed(two)])).need_sha1, []);

  const wrong = { old: 'deep/two.md', new: 'two.md', sha1: one.sha1 };
  assert.equal(counts(await jobOf(await put({ renames: [wrong] }))), [0, 0, 1, 1]);
  const moved = { ...listed(two), path: 'two.md' };
  assert.equal((await manifest([listed(renamed), moved])).need_sha1, ['two.md']);
});

test('two files can exchange their names', async () => {
  await put(both, members);
  const answer = await put({
    renames: [
      { old: 'one.md', new: 'deep/two.md', sha1: one.sha1 },
      { old: 'deep/two.md', new: 'one.md', sha1: two.sha1 },
    ],
  });
  assert.is((await jobOf(answer))['failed_objects'], 0);
  assert.equal([await textOf('one.md'), await textOf('deep/two.md')], ['# Two', '# One']);
});

test('a file can replace a folder that is deleted with it', async () => {
  await put(both, members);
  const deep = seen('deep', 'a file now');
  const content = [{ name: 'deep', content: 'a file now' }];
  const clash = await put({ hashes: [deep] }, content);
  assert.match(envelope(clash).detail, 'both a file and a folder');
  const answer = await put({ hashes: [deep], deletions: ['deep/two.md'] }, content);
  assert.equal(counts(await jobOf(answer)), [1, 0, 1, 1]);
  assert.is(await textOf('deep'), 'a file now');
});

test('a refused bundle changes nothing', async () => {
  await put(both, members);
  const before = await trees();
  const three = seen('three.md', '# Three');
  const file = { name: 'three.md', content: '# Three' };
  const cases: readonly (readonly [string, object, readonly RawMember[], string])[] = [
    [
      'other bytes',
      { hashes: [three] },
      [{ ...file, content: '# thre3' }],
      'does not match its SHA-1',
    ],
    ['other size', { hashes: [{ ...three, size: 6 }] }, [file], 'does not match its SHA-1'],
    ['not named', { hashes: [] }, [file], 'not in the `hashes`'],
    ['no bytes', { hashes: [three] }, [], 'its bytes are not in the bundle'],
    ['no new bytes', { hashes: [seen('deep/two.md', 'new')] }, [], 'its bytes are not'],
    ['twice', { hashes: [three] }, [file, file], 'occurs twice'],
    ['named twice', { hashes: [three, three] }, [file], 'twice'],
    ['a path out', { hashes: [{ ...three, path: '../x' }] }, [], 'leads out'],
    ['a path out of a deletion', { deletions: ['/etc/passwd'] }, [], 'absolute'],
    [
      'one target twice',
      {
        renames: [
          { old: 'one.md', new: 'x', sha1: one.sha1 },
          { old: 'deep/two.md', new: 'x', sha1: two.sha1 },
        ],
      },
      [],
      'twice',
    ],
    ['a wrong hash', { hashes: [{ ...three, sha1: 'abc' }] }, [], 'hashes.0.sha1'],
    ['an unknown field', { hashes: [{ ...three, mode: 1 }] }, [], 'mode: is not known'],
    ['a wrong time', { hashes: [{ ...three, mtime_ns: 'now' }] }, [], 'mtime_ns'],
  ];
  for (const [title, meta, content, reason] of cases) {
    const refused = await put({ deletions: ['one.md'], ...meta }, content);
    assert.is(refused.status, 400, title);
    assert.is(envelope(refused).code, 'upload_invalid', title);
    assert.match(envelope(refused).detail, reason, title);
    assert.equal(await trees(), before, title);
  }
  for (const first of ['meta.json', '.meta.json', 'a/.trove-meta.json', 'one.md']) {
    const body = tarOf({ name: first, content: '{}' });
    const path = '/v1/files/upload?client_id=laptop&root=/home/me/notes';
    const headers = { 'content-type': tarType };
    const refused = await call(server.host, path, { method: 'PUT', body, headers });
    assert.match(envelope(refused).detail, 'first member', first);
  }
  assert.equal((await manifest([listed(one), listed(two)])).need_sha1, []);
  const jobs = (await call(server.host, '/v1/jobs')).body as unknown[];
  assert.is(jobs.length, 1);
});

test('refuses invalid manifests', async () => {
  const file = listed(one);
  for (const [body, reason] of [
    [{ ...laptop, client_id: 'local', files: [] }, 'body.client_id: must not be "local"'],
    [{ ...laptop, client_id: 'a/b', files: [] }, 'body.client_id'],
    [{ ...laptop, root: 'notes', files: [] }, 'body.root'],
    [{ ...laptop, files: [{ ...file, path: '../x' }] }, 'body.files.0.path'],
    [{ ...laptop, files: [file, file] }, 'body.files.1.path: occurs twice'],
    [{ ...laptop, files: [{ ...file, size: -1 }] }, 'body.files.0.size'],
    [{ ...laptop, files: [{ ...file, mtime_ns: 1.5 }] }, 'body.files.0.mtime_ns'],
    [{ ...laptop, files: [], x: 1 }, 'body.x: is not known'],
    ['[', 'JSON'],
    ['', 'body: is required'],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'body: must be object'],
  ] as const) {
    const answer = await call(server.host, '/v1/files/manifest', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.is(envelope(answer).code, 'validation_error', JSON.stringify(answer.body));
    assert.match(envelope(answer).detail, reason);
  }
});

test('a manifest of 50,000 files does not block other requests', async () => {
  const files = Array.from({ length: 50_000 }, (_, index) => ({
    path: `folder-${index % 100}/file-${index}.txt`,
    size: index,
    mtime_ns: `17000000001234${String(index).padStart(5, '0')}`,
    inode: index,
  }));
  const asking = manifest(files);
  const first = Promise.race([
    asking.then(() => 'manifest'),
    call(server.host, '/healthz').then(() => 'healthz'),
  ]);
  assert.is(await first, 'healthz');
  assert.is((await asking).need_sha1.length, 50_000);
});

test('two clients have separate sources, and their folders may be nested', async () => {
  await put(both, members);
  const headers = { 'content-type': tarType };
  const body = tarOf(
    { name: '.trove-meta.json', content: JSON.stringify({ hashes: [seen('in.md', '# In')] }) },
    { name: 'in.md', content: '# In' },
  );
  const at = (client: string, root: string) =>
    call(server.host, `/v1/files/upload?client_id=${client}&root=${root}`, {
      method: 'PUT',
      body,
      headers,
    });
  const inner = await at('laptop', '/home/me/notes/inner');
  assert.equal((inner.body as { overlaps: string[] }).overlaps, [uri]);
  const other = await at('desk', '/home/me/notes');
  assert.equal((other.body as { overlaps: string[] }).overlaps, []);
  assert.is(await textOf('inner/in.md'), '# In');
});

test.run();
