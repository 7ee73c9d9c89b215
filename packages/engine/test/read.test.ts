import { getEventListeners } from 'node:events';

import { defineConnector, TroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { readLastLines, readLines } from '../src/content/text-lines.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('reading');
const numbers = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

async function content(engine: Engine, query: Parameters<Engine['cat']>[0]): Promise<string> {
  return (await engine.cat(query)).content;
}

test('cat with the locator of a hit returns its text', async ({ world, engine }) => {
  world.source.set(
    'crlf.txt',
    Array.from({ length: 200 }, (_, i) => `needle in line ${i}`).join('\r\n'),
  );
  world.source.set('one-line.json', `{"needle":"${'a needle in a very long line '.repeat(400)}"}`);
  world.source.set('astral.md', `# Needle\n\n${'🪡 needle 🧵 '.repeat(500)}`);
  world.source.set(
    'utf16.txt',
    new Uint8Array(Buffer.from('\ufeffa needle in UTF-16\nnext', 'utf16le')),
  );
  world.source.set('latin1.txt', new Uint8Array(Buffer.from('a needle in caf\u00e9\n', 'latin1')));
  await sync(engine);
  const { results } = await engine.search({ q: 'needle', mode: 'keyword', top_k: 1000 });
  assert.is(new Set(results.map(({ source }) => source)).size, 5);
  assert.ok(results.length > 12);
  for (const { source, locator, content: hit } of results) {
    const text = await content(engine, { path: source, locator: JSON.stringify(locator) });
    assert.ok(text.includes(hit), `${source} ${JSON.stringify(locator)}`);
  }
});

test('a part of a line that exceeds the answer limit is readable', async ({ world, engine }) => {
  const word = 'filler text of no interest; ';
  world.source.set('app.min.js', `${word.repeat(60_000)} the needle is here; ${word.repeat(100)}`);
  await sync(engine);
  const path = `${root}/app.min.js`;
  const [hit] = (await engine.search({ q: 'needle', mode: 'keyword' })).results;
  const text = await content(engine, { path, locator: JSON.stringify(hit?.locator) });
  assert.match(text, 'the needle is here');
  const whole = '{"lines":[1,1],"chars":[0,1500000]}';
  for (const query of [{ range: '1:1' }, { locator: whole }]) {
    const error = await rejection(() => engine.cat({ path, ...query }));
    assert.is(error.code, 'object_too_large_for_cat');
  }
});

test('only requested lines count against the limit of head and tail', async ({ world, engine }) => {
  const long = `${'x'.repeat(700_000)}\n`;
  world.source.set('log.txt', `${long}${long}first\n${long}${'short\n'.repeat(3000)}`);
  await sync(engine);
  const path = `${root}/log.txt`;
  assert.is((await engine.tail({ path, n: 3000 })).content, 'short\n'.repeat(3000));
  assert.is((await engine.tail({ path, n: 3001 })).content.length, long.length + 18_000);
  assert.is(await content(engine, { path, range: '3:3' }), 'first\n');
  for (const work of [() => engine.head({ path, n: 2 }), () => engine.tail({ path, n: 3003 })]) {
    assert.is((await rejection(work)).code, 'object_too_large_for_cat');
  }
});

test('a skipped line of any length is not held in memory', async () => {
  const piece = 'x'.repeat(2 ** 20);
  async function* pieces(): AsyncGenerator<string, void, undefined> {
    // More than a string can hold.
    for (let i = 0; i < 600; i++) yield piece;
    yield '\nnext\n';
  }
  assert.is(await readLines(pieces(), { start: 2, end: 2 }, 1000), 'next\n');
  assert.is(await readLastLines(pieces(), 1, 1000), 'next\n');
  const first = await rejection(() => readLines(pieces(), { start: 1, end: 1 }, 1000));
  assert.is(first.code, 'object_too_large_for_cat');
});

test('ranges are 1-based, inclusive and cut off at the end of the text', async ({
  world,
  engine,
}) => {
  world.source.set('n.txt', numbers);
  await sync(engine);
  const range = (text: string) => content(engine, { path: `${root}/n.txt`, range: text });
  assert.is(await range('2:3'), 'line 2\nline 3\n');
  assert.is(await range('29:'), 'line 29\nline 30');
  assert.is(await range(':1'), 'line 1\n');
  assert.is(await range('30:99'), 'line 30');
  assert.is(await range('31:40'), '');
  for (const bad of ['3:2', '0:1', 'a:b', '5', ':', '1:2:3', '-1:2']) {
    assert.is((await rejection(() => range(bad))).code, 'validation_error', bad);
  }
});

test('head and tail return the requested lines', async ({ world, engine }) => {
  world.source.set('n.txt', numbers);
  await sync(engine);
  const path = `${root}/n.txt`;
  assert.is((await engine.head({ path, n: 2 })).content, 'line 1\nline 2\n');
  assert.is((await engine.tail({ path, n: 2 })).content, 'line 29\nline 30');
  assert.is((await engine.head({ path })).content.split('\n').length, 21);
});

test('cat rejects a large object without a range, and export returns all', async ({
  world,
  engine,
}) => {
  const large = `${'x'.repeat(99)}\n`.repeat(12_000);
  world.source.set('large.txt', large);
  await sync(engine);
  const path = `${root}/large.txt`;
  assert.is((await rejection(() => engine.cat({ path }))).code, 'object_too_large_for_cat');
  assert.is(
    (await rejection(() => engine.cat({ path, range: '1:' }))).code,
    'object_too_large_for_cat',
  );
  assert.is((await content(engine, { path, range: '11999:12000' })).length, 200);
  assert.is((await engine.head({ path, n: 1 })).content.length, 100);
  assert.is((await engine.export({ path })).content, large);
});

test('a call observes its signal until its stream ends', async ({ world, engine }) => {
  world.source.set('large.txt', `${'x'.repeat(99)}\n`.repeat(12_000));
  await sync(engine);
  const path = `${root}/large.txt`;
  const { signal } = new AbortController();
  const listeners = (): number => getEventListeners(signal, 'abort').length;
  await engine.cat({ path, range: '1:2' }, { signal });
  await rejection(() => engine.cat({ path: `${root}/none` }, { signal }));
  const read = await engine.exportStream({ path }, { signal });
  assert.is(listeners(), 1);
  for await (const piece of read.content) assert.ok(piece.length > 0);
  const left = await engine.exportStream({ path }, { signal });
  await left.content[Symbol.asyncIterator]().return?.();
  const texts = await engine.texts({ path: root }, { signal });
  await texts[Symbol.asyncIterator]().return?.();
  assert.is(listeners(), 0);

  const controller = new AbortController();
  const broken = await engine.exportStream({ path }, controller);
  const pieces = broken.content[Symbol.asyncIterator]();
  await pieces.next();
  controller.abort(new RangeError('enough'));
  assert.is((await pieces.next()).done, true);
});

test('texts leave out objects that are removed while they are read', async ({ world, engine }) => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) world.source.set(`${name}.md`, `text ${name}`);
  await sync(engine);
  world.source.onRead = (path) => {
    if (path === 'b.md') world.source.remove(path);
    if (path === 'd.md') throw new TroveError('is_directory', `${path} is a folder by now`);
  };
  const found: string[] = [];
  for await (const { source } of await engine.texts({ path: root })) found.push(source);
  assert.equal(
    found,
    ['a', 'c', 'e'].map((name) => `${root}/${name}.md`),
  );
});

test('reading missing objects, folders and bad paths fails with a code', async ({
  world,
  engine,
}) => {
  world.source.set('a/b.md', 'text');
  world.source.set('image.bin', new Uint8Array([0, 1, 2, 3, 0, 0]));
  await sync(engine);
  const code = async (query: Parameters<Engine['cat']>[0]) =>
    (await rejection(() => engine.cat(query))).code;
  assert.is(await code({ path: `${root}/none.md` }), 'not_found');
  assert.is(await code({ path: `${root}/a` }), 'is_directory');
  assert.is(await code({ path: root }), 'is_directory');
  assert.is(await code({ path: 'other://local/x' }), 'not_found');
  assert.is(await code({ path: 'relative/path' }), 'validation_error');
  assert.is(await code({ path: `${root}/image.bin` }), 'not_supported');
  assert.is(
    await code({ path: `${root}/a/b.md`, locator: '{"lines":[5,9]}' }),
    'locator_not_found',
  );
  assert.is(await code({ path: `${root}/a/b.md`, locator: '{"lines":[9,5]}' }), 'validation_error');
  assert.is(await code({ path: `${root}/a/b.md`, locator: '[1]' }), 'validation_error');
  assert.is(
    await code({ path: `${root}/a/b.md`, locator: '{"lines":[1,1]}', range: '1:1' }),
    'validation_error',
  );
});

test('meta returns the metadata without the content', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  await sync(engine);
  const meta = await engine.cat({ path: `${root}/a.md`, meta: true });
  assert.equal(
    { ...meta, fingerprint: null },
    {
      source: `${root}/a.md`,
      media_type: 'text/markdown',
      size_hint: 6,
      fingerprint: null,
      content: '',
    },
  );
});

test('cat returns outlines by density', async ({ world, engine }) => {
  world.source.set('a.md', '# Title\n\nFirst line.\nSecond line.\n\n## Part\n\nMore.\n');
  world.source.set('a.json', '{"a":1}');
  await sync(engine);
  const path = `${root}/a.md`;
  assert.is(await content(engine, { path, density: 'peek' }), '1: # Title\n6: ## Part');
  assert.match(
    await content(engine, { path, density: 'skim' }),
    /1: # Title\n3: First line\.\n6: ## Part\n8: More\./,
  );
  const outline = async (density: 'peek' | 'skim') => {
    const answer = await engine.cat({ path, density });
    return 'outline' in answer ? answer.outline : undefined;
  };
  assert.equal(await outline('peek'), [
    { line: 1, end: 8, text: '# Title', name: 'Title', level: 1 },
    { line: 6, end: 8, text: '## Part', name: 'Part', level: 2 },
  ]);
  assert.is(await outline('skim'), null);
  assert.match(await content(engine, { path, density: 'deep' }), 'Second line.');
  const error = await rejection(() => engine.cat({ path: `${root}/a.json`, density: 'peek' }));
  assert.is(error.code, 'density_unsupported');
});

test('ls lists one level with index status, or a single file', async ({ world, engine }) => {
  world.source.set('a.md', 'apples');
  world.source.set('sub/b.md', 'pears');
  await sync(engine);
  world.source.set('later.md', 'not yet synced');
  const { entries, capabilities } = await engine.ls({ path: root });
  assert.equal(
    entries.map(({ name, type, path, search_status: status }) => [name, type, path, status]),
    [
      ['a.md', 'file', `${root}/a.md`, 'indexed'],
      ['later.md', 'file', `${root}/later.md`, 'not_indexed'],
      ['sub', 'dir', `${root}/sub`, null],
    ],
  );
  assert.is(capabilities.object.read, true);
  assert.equal(
    (await engine.ls({ path: `${root}/sub/b.md` })).entries.map(({ path }) => path),
    [`${root}/sub/b.md`],
  );
  assert.is((await rejection(() => engine.ls({ path: `${root}/none` }))).code, 'not_found');
});

test('grep finds all lines in a scope up to a limit', async ({ world, engine }) => {
  world.source.set('a.txt', 'one apple\ntwo\nApple three');
  world.source.set('sub/b.txt', 'an apple');
  await sync(engine);
  const lines = async (query: Parameters<Engine['grep']>[0]) =>
    (await engine.grep(query)).results.map(({ content: line }) => line);
  assert.equal((await lines({ pattern: 'apple' })).toSorted(), ['an apple', 'one apple']);
  assert.equal(await lines({ pattern: 'apple', path: `${root}/sub` }), ['an apple']);
  assert.is((await lines({ pattern: 'apple', ignore_case: true })).length, 3);
  assert.equal(await lines({ pattern: '^t.o$', regex: true }), ['two']);
  assert.equal(await lines({ pattern: 'two', context: 1 }), ['one apple\ntwo\nApple three']);
  const limited = await engine.grep({ pattern: 'apple', limit: 1 });
  assert.equal([limited.results.length, limited.truncated], [1, true]);
  assert.is(
    (await rejection(() => engine.grep({ pattern: '(', regex: true }))).code,
    'validation_error',
  );
});

test('the index narrows grep without hiding a match', async ({ world }) => {
  const texts: Record<string, string> = {
    'a.txt': 'the red apple tree bends',
    'b.txt': 'a Red Apple treetop',
    'c.txt': 'red pears',
    'd.txt': 'fred apple tr',
  };
  const read: string[] = [];
  const plain = defineConnector({
    keys: ['plain'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        for (const [path, text] of Object.entries(texts)) {
          yield { path, size: text.length, modifiedAt: null, fingerprint: '1' };
        }
      },
      async read(path) {
        read.push(path);
        return { bytes: new TextEncoder().encode(texts[path]) };
      },
    }),
  });
  const engine = await world.open({ plugins: [plain] });
  try {
    await sync(engine, { target: 'plain://x' });
    const grep = async (query: Parameters<Engine['grep']>[0]) => {
      read.length = 0;
      const { results } = await engine.grep(query);
      return results.map(({ source, via }) => `${source?.at(-5)} ${via}`);
    };
    assert.equal(await grep({ pattern: 'red apple tr' }), ['a bm25', 'd bm25']);
    assert.equal(read, ['a.txt', 'b.txt', 'd.txt']);
    assert.equal(await grep({ pattern: 'red APPLE tr', ignore_case: true }), [
      'a linear',
      'b linear',
      'd linear',
    ]);
    assert.equal(await grep({ pattern: 'red apple tr', ignore_case: true }), [
      'a bm25',
      'b bm25',
      'd bm25',
    ]);
    assert.equal(await grep({ pattern: 'apple' }), ['a linear', 'd linear']);
    assert.equal(await grep({ pattern: 'p+le tr', regex: true }), [
      'a linear',
      'b linear',
      'd linear',
    ]);
  } finally {
    await engine.close();
  }
});

test('grep limits the notices for an unreadable source', async ({ world }) => {
  const broken = defineConnector({
    keys: ['broken'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        for (let i = 0; i < 150; i++) {
          yield { path: `${i}`, size: 4, modifiedAt: null, fingerprint: null };
        }
      },
      async read() {
        if (readable) return { bytes: Buffer.from('text') };
        throw new Error('the disk is broken');
      },
    }),
  });
  let readable = true;
  const engine = await world.open({ plugins: [broken] });
  try {
    await sync(engine, { target: 'broken://x' });
    readable = false;
    const { results } = await engine.grep({ pattern: 'text' });
    assert.is(results.length, 101);
    assert.match(results.at(-1)?.content ?? '', '50 more notices');
  } finally {
    await engine.close();
  }
});

test('grep reads a table as records, like cat', async ({ world }) => {
  const mixed = defineConnector({
    keys: ['mixed'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        const facts = { size: null, modifiedAt: null, fingerprint: '1' };
        yield { path: 'people', kind: 'table_rows' as const, ...facts };
        yield { path: 'notes.txt', ...facts };
      },
      read: async (path) => ({ bytes: Buffer.from(`bytes of ${path}: Ada`) }),
      async *records() {
        yield { key: { id: 1 }, fields: { name: 'Ada' } };
      },
    }),
  });
  const engine = await world.open({ plugins: [mixed] });
  try {
    await sync(engine, { target: 'mixed://x' });
    const { results } = await engine.grep({ pattern: 'Ada' });
    assert.equal(results.map((match) => match.content).toSorted(), [
      'bytes of notes.txt: Ada',
      '{"name":"Ada"}',
    ]);
    assert.is(await content(engine, { path: 'mixed://x/people' }), '{"name":"Ada"}\n');
    assert.is((await engine.estimate({ target: 'mixed://x' })).est_chunks, 2);
  } finally {
    await engine.close();
  }
});

test('a probe registers nothing, and an estimate is close', async ({ world, engine }) => {
  for (let i = 0; i < 40; i++)
    world.source.set(`${i}.txt`, 'some words of a text\n'.repeat(200 + i * 5));
  const estimate = await engine.estimate({ target: root });
  assert.is(estimate.objects, 40);
  const job = await sync(engine);
  const chunks = job.chunks ?? 0;
  assert.ok(
    Math.abs(estimate.est_chunks - chunks) <= 0.3 * chunks,
    `${estimate.est_chunks} for ${chunks}`,
  );
  world.source.token = 'secret';
  const probe = await engine.probe({ target: root, config: { token: 'wrong' } });
  assert.equal([probe.ok, probe.type, probe.target], [false, 'memory', root]);
});

test.run();
