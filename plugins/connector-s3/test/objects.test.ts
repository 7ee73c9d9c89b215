// test-timeout: 300
// test-waits
import { withoutCheckpoints, isTroveError, type BrowseEntry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { startFaultyProxy, type FaultyProxy } from '@trove/test-support/faulty-proxy.js';
import {
  noObjectStore,
  startObjectStore,
  type ObjectStore,
} from '@trove/test-support/object-store.js';
import { rejection } from '@trove/test-support/rejection.js';
import { testUnless } from '@trove/test-support/skips.js';
import { calm, Corner, listed, open, textAt } from './source.js';

const test = suite('S3 connector, objects of a real store');
const onStore = testUnless(noObjectStore, test);
let store: ObjectStore;

test.before(async () => {
  if (noObjectStore === null) store = await startObjectStore();
});
test.after(() => store?.stop());

function withCorner(run: (corner: Corner) => Promise<void>): () => Promise<void> {
  return () => run(new Corner(store));
}

function withProxy(
  run: (corner: Corner, proxy: FaultyProxy) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const proxy = await startFaultyProxy(store.endpoint);
    try {
      await run(new Corner(store), proxy);
    } finally {
      await proxy.stop();
    }
  };
}

const paths = (entries: readonly { path: string }[]): string[] => entries.map(({ path }) => path);

async function names(entries: AsyncIterable<BrowseEntry>): Promise<string[]> {
  const all = await collect(entries);
  return all.map(({ name, type }) => (type === 'dir' ? `${name}/` : name)).sort();
}

onStore(
  'lists and reads keys that are not valid paths',
  withCorner(async (corner) => {
    const keys = [
      'a',
      'a/b',
      'x//y',
      '/first',
      'mark/',
      'full/',
      'odd/%2F/z',
      'c+d e',
      'ü/…\u0007',
    ];
    for (const key of keys) await corner.put(key, key === 'mark/' ? '' : `at ${key}`);
    const source = corner.open();
    const expected = [
      ['%2F/first', '/first'],
      ['a', 'a'],
      ['a/b', 'a/b'],
      ['c+d e', 'c+d e'],
      ['full/%2F', 'full/'],
      ['odd/%252F/z', 'odd/%2F/z'],
      ['x/%2F/y', 'x//y'],
      ['ü/…\u0007', 'ü/…\u0007'],
    ] as const;
    assert.equal(
      paths(await listed(source)),
      expected.map(([path]) => path),
    );
    for (const [path, key] of expected) {
      assert.is(await textAt(source, path), `at ${key}`);
      const stat = await source.stat(path, { signal: calm() });
      assert.is(stat?.size, Buffer.byteLength(`at ${key}`), path);
    }
    const browse = (path: string): Promise<string[]> =>
      names(source.browse(path, { signal: calm() }));
    const top = ['%2F/', 'a', 'a/', 'c+d e', 'full/', 'mark/', 'odd/', 'x/', 'ü/'];
    assert.equal(await browse(''), top.sort());
    assert.equal(await browse('x'), ['%2F/']);
    assert.equal(await browse('x/%2F'), ['y']);
    assert.equal(await browse('a'), ['b'], 'what is below it');
    assert.equal(await browse('mark'), [], 'an empty folder');
    assert.equal(await browse('c+d e'), ['c+d e'], 'an object is itself');
    for (const wrong of ['odd/%2F/z', 'nothing', 'x/y', 'a/b/c']) {
      assert.is((await rejection(() => textAt(source, wrong))).code, 'not_found', wrong);
      assert.is((await rejection(() => browse(wrong))).code, 'not_found', wrong);
      assert.is(await source.stat(wrong, { signal: calm() }), null, wrong);
    }
  }),
);

onStore(
  'opens a folder of a bucket or a single object as a source',
  withCorner(async (corner) => {
    await corner.put('docs/a.md', 'one');
    await corner.put('docs/deep/b.md', 'two');
    await corner.put('docs-of-others/c.md', 'three');
    const part = open(`${corner.target}/docs`, corner.config);
    assert.equal(paths(await listed(part)), ['a.md', 'deep/b.md']);
    assert.is(await textAt(part, 'deep/b.md'), 'two');
    const single = open(`${corner.target}/docs/a.md`, corner.config);
    assert.equal(paths(await listed(single)), ['']);
    assert.is(await textAt(single, ''), 'one');
    assert.equal(await names(single.browse('', { signal: calm() })), ['a.md']);
    const folder = await part.stat('', { signal: calm() });
    assert.is(folder, null, 'a folder is no object');
  }),
);

onStore(
  'leaves out secrets and generated files unless configured',
  withCorner(async (corner) => {
    const keys = ['.env', 'a.md', 'b/id_rsa', 'dist/x.js', 'drafts/x.md', 'node_modules/m/i.js'];
    for (const key of keys) await corner.put(key, key);
    assert.equal(paths(await listed(corner.open())), ['a.md', 'drafts/x.md']);
    const source = corner.open({ ignore: ['drafts/', '!dist/'] });
    assert.equal(paths(await listed(source)), ['a.md', 'dist/x.js']);
    const top = await collect(source.browse('', { signal: calm() }));
    const reasons = new Map(top.map(({ name, skip }) => [name, skip]));
    assert.is(reasons.get('a.md'), undefined);
    assert.is(reasons.get('drafts'), 'drafts is ignored by "drafts/" (configuration)');
    assert.match(reasons.get('.env') ?? '', 'may hold secrets); "!.env" in `ignore`');
    const [inside] = await collect(source.browse('node_modules/m', { signal: calm() }));
    assert.match(inside?.skip ?? '', 'node_modules is ignored by "node_modules/" (built in)');
    assert.is(await textAt(source, '.env'), '.env', 'the object can be read nevertheless');
  }),
);

onStore(
  'detects objects that change or vanish after the listing',
  withCorner(async (corner) => {
    await corner.put('a.md', 'before');
    await corner.put('b.md', 'before');
    const source = corner.open();
    const [before] = await listed(source);
    await corner.put('a.md', 'after it');
    await corner.remove('b.md');
    assert.is(await textAt(source, 'a.md'), 'after it');
    assert.is((await rejection(() => textAt(source, 'b.md'))).code, 'not_found');
    const [now, ...others] = await listed(source);
    assert.not.equal(now?.fingerprint, before?.fingerprint);
    assert.equal(others, []);
  }),
);

onStore(
  'returns the stored media type if the name gives none',
  withCorner(async (corner) => {
    await corner.put('page', 'x', { 'content-type': 'text/html' });
    await corner.put('b.md', 'x', { 'content-type': 'text/html' });
    await corner.put('form', 'x', { 'content-type': 'application/x-www-form-urlencoded' });
    const { read } = corner.open();
    const typeOf = async (path: string): Promise<unknown> =>
      (await read(path, { signal: calm() })).mediaType;
    assert.equal(await Promise.all(['page', 'b.md', 'form'].map(typeOf)), [
      'text/html',
      null,
      null,
    ]);
  }),
);

onStore(
  'lists several pages, and fails with a retryable error if one fails',
  withProxy(async (corner, proxy) => {
    const keys = Array.from({ length: 1100 }, (_, index) => `k${String(index).padStart(4, '0')}`);
    for (let from = 0; from < keys.length; from += 50) {
      await Promise.all(keys.slice(from, from + 50).map((key) => corner.put(key, key)));
    }
    const source = corner.open({ endpoint: proxy.url });
    assert.equal(paths(await listed(source)), keys);
    assert.is(proxy.paths.length, 2);

    const isSecond = (path: string): boolean => path.includes('continuation-token');
    proxy.faultOf = (path) =>
      isSecond(path) ? { status: 503, headers: { 'retry-after': '30' }, body: slowDown } : 'pass';
    const slow = await rejection(() => listed(source));
    assert.is(slow.code, 'connector_unhealthy');
    assert.match(slow.detail, 'demands a pause of 30 s (HTTP 503)');
    assert.equal([slow.retryable, slow.retryAfterMs], [true, 30_000]);
    proxy.faultOf = (path) => (isSecond(path) ? { status: 503, body: slowDown } : 'pass');
    const busy = await rejection(() => listed(source));
    assert.match(busy.detail, 'could not answer (HTTP 503, SlowDown)');
    assert.is(busy.retryable, true);

    for (const breakAfter of [0, 20_000]) {
      proxy.faultOf = (path) => (isSecond(path) ? { breakAfter } : 'pass');
      const broken = await rejection(() => listed(source));
      assert.equal([broken.code, broken.retryable], ['connector_unhealthy', true]);
    }

    // The store stops while the caller consumes a page.
    proxy.faultOf = () => 'pass';
    const died = await rejection(async () => {
      let taken = 0;
      for await (const { path } of withoutCheckpoints(source.list({ signal: calm() }))) {
        if (++taken === 10) await proxy.stop();
        assert.ok(path.startsWith('k'));
      }
      // The next page was already requested.
      await listed(source);
    });
    assert.equal([died.code, died.retryable], ['connector_unhealthy', true]);
    assert.is(paths(await listed(corner.open())).length, keys.length);
  }),
);

const slowDown = '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>';

onStore(
  'fails on an interrupted read, and reads again completely',
  withProxy(async (corner, proxy) => {
    const text = 'a line of a large object\n'.repeat(40_000);
    await corner.put('large.txt', text);
    const source = corner.open({ endpoint: proxy.url });
    proxy.faultOf = () => ({ breakAfter: 300_000 });
    const error = await rejection(() => textAt(source, 'large.txt'));
    assert.equal([error.code, error.retryable], ['connector_unhealthy', true]);
    proxy.faultOf = () => ({ status: 429, headers: { 'retry-after': '20' } });
    const busy = await rejection(() => textAt(source, 'large.txt'));
    assert.equal([busy.retryable, busy.retryAfterMs], [true, 20_000]);
    proxy.faultOf = () => 'pass';
    assert.is(await textAt(source, 'large.txt'), text);
  }),
);

onStore('releases connections of unfinished listings and reads', async () => {
  const corner = new Corner(store);
  await corner.put('a.txt', 'x'.repeat(3_000_000));
  const source = corner.open();
  for (let time = 0; time < 20; time++) {
    for await (const entry of withoutCheckpoints(source.list({ signal: calm() }))) {
      assert.is(entry.path, 'a.txt');
      break;
    }
    const { bytes } = await source.read('a.txt', { signal: calm() });
    assert.not.instance(bytes, Uint8Array);
    if (bytes instanceof Uint8Array) continue;
    for await (const piece of bytes) {
      assert.ok(piece.length > 0);
      break;
    }
  }
  const leaving = new AbortController();
  const { bytes } = await source.read('a.txt', { signal: leaving.signal });
  leaving.abort(new Error('enough'));
  const error = await collect(bytes instanceof Uint8Array ? undefined : bytes).catch(
    (e: unknown) => e,
  );
  assert.is(isTroveError(error), false);
  assert.match(String(error), 'enough');
});

onStore(
  'reads only the requested range of a large object',
  withCorner(async (corner) => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    await corner.put('large.bin', bytes);
    const { read } = corner.open();
    for (const range of [{ start: 299_990 }, { start: 1000, end: 1200 }, { start: 400_000 }]) {
      const content = await read('large.bin', { range, signal: calm() });
      const pieces =
        content.bytes instanceof Uint8Array ? [content.bytes] : await collect(content.bytes);
      assert.is(content.start, range.start);
      assert.ok(Buffer.concat(pieces).equals(bytes.subarray(range.start, range.end)));
    }
  }),
);

test.run();
