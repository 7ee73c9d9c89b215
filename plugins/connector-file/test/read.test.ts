import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { bytesOf, calm, everything, inFolder, level, textOf } from './folder.js';

const test = suite('file connector, reading');

const hostile = [
  '..',
  '.',
  '../secret.md',
  '../../../../../../etc/passwd',
  '/etc/passwd',
  'docs/../../secret.md',
  'docs/../a.md',
  './a.md',
  'docs//a.md',
  'a.md/',
  'a.md/..',
  'a.md\0',
  '\0',
  '..\\secret.md',
  '%2e%2e/secret.md',
  'a'.repeat(5000),
  'a/'.repeat(3000),
];

test(
  'reads a range of a file, in pieces if it is large',
  inFolder(async (folder) => {
    const bytes = Buffer.alloc(5_000_000).map((_, at) => at % 251);
    folder.write('large.bin', bytes);
    const connector = await folder.open();
    for (const range of [
      { start: 4_999_990 },
      { start: 1_000_001, end: 1_000_004 },
      { start: 1_000_001 },
      { start: 10, end: 4_000_000 },
      { start: 6_000_000 },
    ]) {
      const content = await connector.read('large.bin', { signal: calm(), range });
      const pieces = content.bytes instanceof Uint8Array ? [content.bytes] : content.bytes;
      const found = Buffer.concat(await collect(asIterable(pieces)));
      assert.is(content.start, range.start);
      assert.ok(found.equals(bytes.subarray(range.start, range.end)), JSON.stringify(range));
    }
  }),
);

async function* asIterable<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}

test(
  'reads, browses and searches no path outside of the root',
  inFolder(async (folder) => {
    folder.write('secret.md', 'secret');
    folder.write('root-sibling/a.md', 'secret');
    folder.write('root/a.md', 'mine');
    folder.write('root/docs/a.md', 'mine');
    symlinkSync('..', folder.at('root/up'));
    symlinkSync('../root-sibling', folder.at('root/sibling'));
    symlinkSync('../secret.md', folder.at('root/link.md'));
    const connector = await folder.open('root');
    const links = ['up/secret.md', 'sibling/a.md', 'link.md', 'up/root/a.md/../../secret.md'];
    for (const path of [...hostile, ...links]) {
      assert.is(await codeOf(textOf(connector, path)), 'not_found', `read ${path}`);
      const entry = await connector.stat(path, { signal: calm() });
      assert.ok(entry === null || entry.skip !== undefined, `stat ${path}`);
      assert.is(await codeOf(level(connector, path)), 'not_found', `browse ${path}`);
      const grep = collect(
        connector.grep({ ...everything, pattern: 'secret', path, signal: calm() }),
      );
      const found = await grep.catch(() => []);
      assert.equal(
        found.filter((item) => 'path' in item),
        [],
        `grep ${path}`,
      );
    }
    // A path that leaves the root and returns ends inside.
    assert.is(await textOf(connector, 'up/root/a.md'), 'mine');
  }),
);

test(
  'does not follow a folder that becomes a link to the outside',
  inFolder(async (folder) => {
    folder.write('outside/a.md', 'secret');
    folder.write('root/docs/a.md', 'mine');
    const connector = await folder.open('root');
    assert.is(await textOf(connector, 'docs/a.md'), 'mine');
    renameSync(folder.at('root/docs'), folder.at('root/old'));
    symlinkSync('../outside', folder.at('root/docs'));
    assert.is(await codeOf(textOf(connector, 'docs/a.md')), 'not_found');
  }),
);

test(
  'rejects reading a folder with `is_directory`',
  inFolder(async (folder) => {
    folder.write('docs/a.md');
    const connector = await folder.open();
    assert.is(await codeOf(textOf(connector, 'docs')), 'is_directory');
    assert.is(await codeOf(textOf(connector, '')), 'is_directory');
    assert.is(await connector.stat('docs', { signal: calm() }), null);
  }),
);

test(
  'returns the exact bytes of files of any size, large ones in pieces',
  inFolder(async (folder) => {
    const connector = await folder.open();
    for (const size of [0, 1, 65_536, 2 ** 20, 2 ** 20 + 1, 20 * 2 ** 20 + 7]) {
      const bytes = Buffer.alloc(size);
      for (let at = 0; at < size; at += 4093) bytes[at] = at % 251;
      writeFileSync(folder.at('file.bin'), bytes);
      const read = await bytesOf(connector, 'file.bin');
      assert.is(sha1(read), sha1(bytes), `${size} bytes`);
    }
    const { bytes, transferable } = await connector.read('file.bin', {
      signal: calm(),
    });
    assert.not(bytes instanceof Uint8Array, 'is a stream');
    assert.ok(transferable);
  }),
);

test(
  'reads again after an unfinished or aborted read',
  inFolder(async (folder) => {
    writeFileSync(folder.at('file.bin'), Buffer.alloc(30 * 1024 * 1024, 'x'));
    const connector = await folder.open();
    const left = await connector.read('file.bin', { signal: calm() });
    if (left.bytes instanceof Uint8Array) throw new Error('is no stream');
    for await (const piece of left.bytes) {
      assert.ok(piece.length > 0);
      break;
    }
    const aborter = new AbortController();
    const aborted = await connector.read('file.bin', { signal: aborter.signal });
    if (aborted.bytes instanceof Uint8Array) throw new Error('is no stream');
    const reason = new Error('enough');
    aborter.abort(reason);
    const error = await collect(aborted.bytes).catch((thrown: unknown) => thrown);
    assert.is(error, reason);
    assert.is((await bytesOf(connector, 'file.bin')).length, 30 * 1024 * 1024);
  }),
);

test(
  'ends a read at the original size or earlier if the file changes',
  inFolder(async (folder) => {
    const size = 8 * 2 ** 20;
    const more = Buffer.alloc(2 ** 18, 'y');
    const connector = await folder.open();
    const changes = {
      grows: () => appendFileSync(folder.at('a.log'), more),
      shrinks: () => truncateSync(folder.at('a.log'), 2 ** 20 + 1),
    };
    for (const [name, change] of Object.entries(changes)) {
      writeFileSync(folder.at('a.log'), Buffer.alloc(size, 'x'));
      const { bytes } = await connector.read('a.log', { signal: calm() });
      if (bytes instanceof Uint8Array) throw new Error('is no stream');
      let read = 0;
      for await (const piece of bytes) {
        assert.ok(piece.every((byte) => byte === 120));
        read += piece.length;
        assert.ok(read <= size, name);
        change();
      }
      if (name === 'grows') assert.is(read, size);
      else assert.ok(read < size, `${read} bytes`);
    }
  }),
);

test(
  'reads more files at once than a process may open',
  inFolder(async (folder) => {
    const count = 3000;
    for (let index = 0; index < count; index++) folder.write(`${index}.md`, `file ${index}`);
    const connector = await folder.open();
    const texts = await Promise.all(
      Array.from({ length: count }, (_, index) => textOf(connector, `${index}.md`)),
    );
    texts.forEach((text, index) => assert.is(text, `file ${index}`));
  }),
);

test(
  'rejects files of another machine with a clear message',
  inFolder(async (folder) => {
    const { plugin } = await import('./folder.js');
    const create = async (): Promise<unknown> =>
      plugin.create(
        connectorContext({ config: { ignore: [] }, target: `file://laptop${folder.path}` }),
      );
    assert.is(await codeOf(create()), 'connector_unhealthy');
  }),
);

function sha1(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

test.run();
