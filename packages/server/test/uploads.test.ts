// test-timeout: 400
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longNamed, memberOf, packed, tarEnd, tarOf, type RawMember } from './support/archives.js';
import {
  makeWorld,
  removeWorld,
  startReal,
  type Running,
  type World,
} from './support/real-server.js';
import { call, envelope, type Answer } from './support/server.js';
import { treesIn } from './support/trees.js';

const test = suite('uploads of whole archives');

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

const get = (path: string, query: Record<string, string>) =>
  call(server.host, `/v1/${path}?${new URLSearchParams(query).toString()}`);

function upload(
  archive: Uint8Array,
  name = 'notes',
  { type = 'application/x-tar', query = '' } = {},
): Promise<Answer> {
  return call(server.host, `/v1/upload?name=${name}${query}`, {
    method: 'POST',
    body: archive,
    headers: { 'content-type': type },
  });
}

/** Responses of the server, with fields that a test requests by name. */
function member(answer: Answer, name: string): unknown {
  if (typeof answer.body !== 'object' || answer.body === null) throw new Error('no object');
  return Reflect.get(answer.body, name);
}

async function jobOf(answer: Answer): Promise<Record<string, unknown>> {
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  const job = await call(server.host, `/v1/jobs/${String(member(answer, 'job_id'))}`);
  return job.body as Record<string, unknown>;
}

/** Trees on the server's disk, current or not. */
async function trees(): Promise<string[]> {
  return treesIn(join(world.root, 'home'));
}

async function namesIn(path: string): Promise<string[]> {
  const entries = member(await get('ls', { path }), 'entries') as { name: string }[];
  return entries.map(({ name }) => name).sort();
}

test('an uploaded source is a source like any other', async () => {
  const job = await jobOf(await upload(packed(world.docs)));
  assert.is(job['status'], 'succeeded', JSON.stringify(job));
  assert.is(job['target'], 'file://notes');
  assert.equal(await namesIn('file://notes/'), [
    'bytes.bin',
    'deep',
    'fox.md',
    'large.txt',
    'long-line.txt',
  ]);

  const found = member(await get('search', { q: 'brown fox' }), 'results') as { source: string }[];
  assert.is(found[0]?.source, 'file://notes/fox.md');
  const grepped = await get('grep', { pattern: 'feedAnimals', path: 'file://notes' });
  assert.match(JSON.stringify(grepped.body), 'file://notes/deep/zoo.ts');
  const text = await get('cat', { path: 'file://notes/fox.md', range: '3:3' });
  assert.is(member(text, 'content'), 'The quick brown fox.\n');
  const head = await get('head', { path: 'file://notes/fox.md', n: '1' });
  assert.is(member(head, 'content'), '# Animals\n');
  const whole = await get('export', { path: 'file://notes/large.txt' });
  assert.is(String(member(whole, 'content')).length, 1_200_000);

  const answers = [
    await get('connectors/inspect', { target: 'file://notes' }),
    await get('status', {}),
    await get('cat', { path: 'file://notes/nope' }),
    await get('cat', { path: 'file://notes/deep' }),
    found,
  ];
  assert.not.match(JSON.stringify(answers), world.root, 'where the server keeps it');

  const probe = await call(server.host, '/v1/connectors/probe', {
    method: 'POST',
    body: { target: 'file://notes' },
  });
  assert.is(member(probe, 'ok'), true);
  const again = await call(server.host, '/v1/add', {
    method: 'POST',
    body: { target: 'file://notes', process: true },
  });
  assert.is((await jobOf(again))['unchanged'], 4);

  const removed = await call(server.host, '/v1/connectors?target=file://notes', {
    method: 'DELETE',
  });
  assert.is(removed.status, 200);
  assert.equal(await trees(), []);
  assert.is((await get('ls', { path: 'file://notes' })).status, 404);
});

test('a snapshot replaces the previous content and indexes only changes', async () => {
  await upload(packed(world.docs));
  await rm(join(world.docs, 'deep'), { recursive: true });
  await writeFile(join(world.docs, 'fox.md'), 'The slow green fox.\n');
  const job = await jobOf(await upload(packed(world.docs)));
  assert.equal(
    [job['added'], job['changed'], job['removed'], job['unchanged']],
    [0, 1, 1, 2],
    JSON.stringify(job),
  );
  assert.equal(await namesIn('file://notes'), [
    'bytes.bin',
    'fox.md',
    'large.txt',
    'long-line.txt',
  ]);
  const text = await get('cat', { path: 'file://notes/fox.md' });
  assert.is(member(text, 'content'), 'The slow green fox.\n');
  await server.close();
  assert.is((await trees()).length, 1, 'the replaced tree is gone');
  server = await startReal(world);
  assert.is(
    member(await get('cat', { path: 'file://notes/fox.md' }), 'content'),
    'The slow green fox.\n',
  );
});

test('accepts archives compressed with gzip and zstd', async () => {
  const gzip = await upload(packed(world.docs, '-z'), 'zipped', { type: 'application/gzip' });
  assert.is((await jobOf(gzip))['added'], 4);
  const twoParts = Buffer.concat([
    gzipSync(memberOf({ name: 'a', content: 'a' })),
    gzipSync(tarEnd),
  ]);
  assert.is((await jobOf(await upload(twoParts, 'parts')))['added'], 1);
  // An archive of a few hundred bytes and one of several blocks, packed by the reference implementation.
  for (const [name, folder] of [
    ['zstd-large', world.docs],
    ['zstd-small', join(world.docs, 'deep')],
  ] as const) {
    const archive = execFileSync('zstd', ['-q', '-c'], { input: packed(folder) });
    const answer = await upload(archive, name, { type: 'application/zstd' });
    assert.is((await jobOf(answer))['failed_objects'], 0);
    const cut = await upload(archive.subarray(0, -9), name, { type: 'application/zstd' });
    assert.is(envelope(cut).code, 'upload_invalid', name);
  }
});

test('decodes member names in legacy encodings', async () => {
  const latin = Buffer.from('Größe/München.txt', 'latin1');
  const russian = Buffer.from(
    '8e e2 e7 f1 e2 eb 2f 84 ae a3 ae a2 ae e0'.replaceAll(' ', ''),
    'hex',
  );
  const japanese = Buffer.from('93fa967b8cea82cc967b', 'hex');
  const record = Buffer.concat([Buffer.from(' path='), japanese, Buffer.from('\n')]);
  const archives: readonly (readonly [string, Buffer])[] = [
    ['Größe/München.txt', tarOf({ name: latin, content: 'within' })],
    [
      'Отчёты/Договор',
      tarOf(
        { name: '././@LongLink', type: 'L', content: russian },
        { name: 'short', content: 'within' },
      ),
    ],
    [
      '日本語の本',
      tarOf(
        {
          name: 'pax',
          type: 'x',
          content: Buffer.concat([Buffer.from(String(record.byteLength + 2)), record]),
        },
        { name: 'short', content: 'within' },
      ),
    ],
  ];
  for (const [name, archive] of archives) {
    const last = tarOf({ name: 'after.txt', content: 'the next one' });
    const whole = Buffer.concat([
      memberOf({ name: 'ä.txt', content: 'first' }),
      archive.subarray(0, -1024),
      last,
    ]);
    assert.is((await jobOf(await upload(whole, 'named')))['failed_objects'], 0, name);
    const read = async (path: string) =>
      member(await get('cat', { path: `file://named/${encodeURI(path)}` }), 'content');
    assert.is(await read('ä.txt'), 'first', name);
    assert.is(await read(name), 'within', name);
    assert.is(await read('after.txt'), 'the next one', name);
  }
});

test('refuses invalid archives', async () => {
  await upload(tarOf({ name: 'kept.txt', content: 'kept' }));
  const before = await trees();
  const files = (count: number): RawMember[] =>
    Array.from({ length: count }, (_, index) => ({ name: `f${index}`, content: 'x' }));
  const deep = `${'d/'.repeat(10_000)}f`;
  const pax = (text: string): RawMember => {
    const line = ` ${text}\n`;
    const bytes = Buffer.byteLength(line);
    const length = bytes + String(bytes).length;
    return { name: 'pax', type: 'x', content: `${length}${line}` };
  };
  const gzipped = gzipSync(tarOf(...files(100)));
  const cases: readonly (readonly [string, Uint8Array, string, string?])[] = [
    ['no archive', Buffer.from('x'.repeat(5000)), 'not a valid tar archive'],
    ['nearly nothing', Buffer.from('x'), 'its end is missing'],
    ['a link', tarOf({ name: 'l', type: '2', link: '/etc/passwd' }), 'is a SymbolicLink'],
    [
      'a hard link',
      tarOf({ name: 'a', content: 'a' }, { name: 'l', type: '1', link: 'a' }),
      'is a Link',
    ],
    ['a device', tarOf({ name: 'null', type: '3' }), 'is a CharacterDevice'],
    ['a pipe', tarOf({ name: 'pipe', type: '6' }), 'is a FIFO'],
    ['an unknown kind', tarOf({ name: 'z', type: 'Z' }), 'regular files'],
    ['an old sparse file', tarOf({ name: 's', type: 'S' }), 'regular files'],
    ['a sparse file', tarOf(pax('GNU.sparse.major=1'), { name: 's', content: 'x' }), 'sparse'],
    ['an absolute path', tarOf({ name: '/etc/passwd' }), 'absolute path'],
    ['an absolute path by pax', tarOf(pax('path=/etc/x'), { name: 'x' }), 'absolute path'],
    ['a way out', tarOf({ name: 'a/../../x' }), 'leads out'],
    ['a file as the root', tarOf({ name: '.' }), '"." is the folder itself, not a file'],
    ['a folder outside', tarOf({ name: '../x/', type: '5' }), 'leads out'],
    ['a way out by its end', tarOf({ name: 'a/..' }), 'leads out'],
    ['a dot within', tarOf({ name: 'a/./b' }), 'empty part'],
    ['no UTF-8', tarOf(pax('path=a\ufffdb'), { name: 'x' }), 'valid name'],
    ['a name of nothing', tarOf(pax('path=.'), { name: 'x', content: 'x' }), 'folder'],
    ['the same twice', tarOf({ name: 'a' }, { name: './a' }), 'occurs twice'],
    ['a file in a file', tarOf({ name: 'a' }, { name: 'a/b' }), 'both a file and a folder'],
    [
      'a folder of files as a file',
      tarOf({ name: 'a/b' }, { name: 'a' }),
      'both a file and a folder',
    ],
    [
      'a long name',
      Buffer.concat([longNamed(`${'n/'.repeat(511)}name`), tarEnd]),
      'longer than 1024',
    ],
    ['a long part', Buffer.concat([longNamed('n'.repeat(256)), tarEnd]), 'longer than 255'],
    ['10,000 folders', Buffer.concat([longNamed(deep), tarEnd]), 'longer than 1024'],
    ['a header of its own size', Buffer.concat([longNamed('n'.repeat(100_000)), tarEnd]), 'header'],
    ['a terabyte', tarOf({ name: 'huge', size: 2 ** 40 }), 'more than', 'payload_too_large'],
    [
      'a terabyte by pax',
      tarOf(pax(`size=${2 ** 40}`), { name: 'huge' }),
      'more than',
      'payload_too_large',
    ],
    ['no end', memberOf({ name: 'a', content: 'a' }), 'its end is missing'],
    [
      'half a member',
      tarOf({ name: 'a', content: 'a'.repeat(5000) }).subarray(0, 2000),
      'its end is missing',
    ],
    ['a broken header', Buffer.concat([tarOf({ name: 'a' }).fill(7, 20, 30)]), 'checksum'],
    ['a truncated gzip', gzipped.subarray(0, gzipped.length - 20), 'truncated'],
    ['a damaged gzip', Buffer.from(gzipped).fill(255, 20, 60), 'damaged'],
    ['compressed twice', gzipSync(gzipped), 'compressed twice'],
  ];
  for (const [title, archive, reason, code = 'upload_invalid'] of cases) {
    for (const name of ['notes', 'fresh']) {
      const answer = await upload(archive, name);
      assert.not.equal(answer.status, 200, title);
      assert.is(envelope(answer).code, code, `${title}: ${JSON.stringify(answer.body)}`);
      assert.match(envelope(answer).detail, reason, title);
    }
    assert.equal(await trees(), before, title);
  }
  const status = await get('status', {});
  assert.not.match(JSON.stringify(status.body), 'fresh');
  assert.equal(member(status, 'jobs'), { succeeded: 1 });
  assert.is(member(await get('cat', { path: 'file://notes/kept.txt' }), 'content'), 'kept');
  assert.equal(await trees(), before);
});

test('an archive bomb is refused at the limit', async () => {
  const zeros = gzipSync(Buffer.alloc(40 * 2 ** 20), { level: 9 });
  const head = gzipSync(memberOf({ name: 'zeros', size: 40 * 10 * 2 ** 20 }));
  const bomb = Buffer.concat([head, ...Array.from({ length: 10 }, () => zeros), gzipSync(tarEnd)]);
  const answer = await upload(bomb);
  assert.is(envelope(answer).code, 'upload_invalid');
  assert.match(envelope(answer).detail, 'more than 100 times');
  assert.equal(await trees(), []);
});

test('refuses a zstd bomb, and zstd data that needs a large window', async () => {
  const zeros = execFileSync('zstd', ['-q', '-c', '-19'], { input: Buffer.alloc(80 * 2 ** 20) });
  assert.ok(zeros.byteLength < 100_000);
  // Its frames follow a header frame, as in archives that zstd packs in parts.
  const head = memberOf({ name: 'zeros', size: 400 * 2 ** 20 });
  const packedHead = execFileSync('zstd', ['-q', '-c'], { input: head });
  const bomb = await upload(Buffer.concat([packedHead, zeros, zeros]));
  assert.match(envelope(bomb).detail, 'more than 100 times');
  const wide = execFileSync('zstd', ['-q', '-c', '--long=27'], { input: packed(world.docs) });
  assert.match(envelope(await upload(Buffer.concat([packedHead, wide]))).detail, 'window');
  assert.equal(await trees(), []);
});

test('limits the size of the body and of its content', async () => {
  await server.close();
  server = await startReal(world, { uploads: { max_bytes: 1_000_000 } });
  const inside = gzipSync(tarOf({ name: 'a', content: 'a'.repeat(1_000_001) }));
  const answer = await upload(inside);
  assert.is(envelope(answer).code, 'payload_too_large');
  assert.match(envelope(answer).detail, '1000000');
  const most = gzipSync(tarOf({ name: 'a', content: 'a'.repeat(1_000_000) }));
  assert.is((await jobOf(await upload(most)))['added'], 1);
});

test('accepts valid names with any content type, and refuses other names', async () => {
  const archive = tarOf({ name: 'a', content: 'a' });
  for (const name of ['local', '', 'a/b', '..%2f..', 'a b', 'x'.repeat(65), 'é']) {
    const answer = await upload(archive, name);
    assert.is(answer.status, 422, name);
  }
  assert.is((await upload(archive, 'a', { query: '&proces=true' })).status, 422);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    assert.is((await upload(archive, 'a', { type })).status, 200, type);
  }
  assert.is((await upload(archive, 'A.b_c-1')).status, 200);
  // The content decides, not the declared type.
  assert.is((await upload(gzipSync(archive), 'zipped')).status, 200);
});

test('private and ignored files are not indexed, and ignore files above the tree are not read', async () => {
  await writeFile(join(world.root, '.gitignore'), '*\n');
  await mkdir(join(world.root, '.git'), { recursive: true });
  const archive = tarOf(
    { name: '.env', content: 'SECRET=1' },
    { name: '.gitignore', content: 'out.txt\n' },
    { name: 'out.txt', content: 'ignored' },
    { name: 'in.txt', content: 'taken in' },
  );
  const job = await jobOf(await upload(archive));
  assert.is(job['added'], 2, JSON.stringify(job));
  const entries = member(await get('ls', { path: 'file://notes' }), 'entries') as {
    name: string;
    search_status: string;
  }[];
  assert.equal(
    entries
      .filter((e) => e.search_status === 'indexed')
      .map((e) => e.name)
      .sort(),
    ['.gitignore', 'in.txt'],
  );
});

test('an empty archive is an empty source', async () => {
  await upload(tarOf({ name: 'a', content: 'a' }));
  const job = await jobOf(await upload(tarOf()));
  assert.is(job['removed'], 1, JSON.stringify(job));
  assert.equal(await namesIn('file://notes'), []);
});

test('links in a folder that tar packs are refused by name', async () => {
  await symlink('/etc/passwd', join(world.docs, 'link'));
  assert.match(envelope(await upload(packed(world.docs))).detail, '"link" is a SymbolicLink');
});

test.run();
