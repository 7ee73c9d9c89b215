import { defineConnector, TroveError, type Entry, type SourceRecord } from '@trove/core';
import type { Engine, GrepResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite('grep of sources without their own search');

/** A source without its own search. A text may be a function that returns different text after a sync. */
class Plain {
  readonly texts = new Map<string, string | (() => AsyncIterable<Uint8Array>)>();
  readonly tables = new Map<string, SourceRecord[]>();

  readonly plugin = defineConnector({
    keys: ['plain'],
    configSchema: { type: 'object' },
    create: () => ({
      list: () => this.#entries(),
      read: async (path) => {
        const text = this.texts.get(path) ?? '';
        return { bytes: typeof text === 'string' ? Buffer.from(text) : text() };
      },
      records: (path) => this.#records(path),
    }),
  });

  async *#entries(): AsyncGenerator<Entry> {
    const facts = { size: null, modifiedAt: null, fingerprint: '1' };
    for (const path of this.texts.keys()) yield { path, ...facts };
    for (const path of this.tables.keys()) yield { path, kind: 'table_rows', ...facts };
  }

  async *#records(path: string): AsyncGenerator<SourceRecord> {
    yield* this.tables.get(path) ?? [];
  }
}

async function inWorld(use: (plain: Plain, engine: Engine) => Promise<void>): Promise<void> {
  const world = new World();
  const plain = new Plain();
  const engine = await world.open({ plugins: [plain.plugin] });
  try {
    await use(plain, engine);
  } finally {
    await engine.close();
  }
}

test('a path that the source leaves out is answered with the reason', async () => {
  const facts = { size: null, modifiedAt: null };
  const skip = 'out is ignored by "out/"';
  const plugin = defineConnector({
    keys: ['leaving'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        yield { path: 'in.txt', ...facts, fingerprint: '1' };
      },
      async *browse(path) {
        if (path !== '') throw new TroveError('not_found', 'nothing');
        yield { name: 'in.txt', type: 'file', ...facts };
        yield { name: 'late.txt', type: 'file', ...facts };
        yield { name: 'out', type: 'dir', ...facts, skip };
      },
      read: async () => ({ bytes: Buffer.from('needle') }),
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  try {
    const target = 'leaving://x';
    await sync(engine, { target });
    for (const [path, reason] of [
      ['out', skip],
      ['out/deep/a.txt', skip],
      ['late.txt', 'not synced yet'],
    ]) {
      const uri = `${target}/${path}`;
      const { results } = await engine.grep({ pattern: 'needle', path: uri });
      assert.equal(
        results.map(({ via, content }) => [via, content]),
        [['notice', `${uri} was not searched: ${reason}`]],
      );
      const found = await engine.search({ q: 'needle', path: uri });
      assert.equal([found.results.length, found.reason], [0, `${uri}: ${reason}`]);
    }
    const missing = `${target}/none/a.txt`;
    const grep = () => engine.grep({ pattern: 'needle', path: missing });
    assert.is((await rejection(grep)).code, 'not_found');
    assert.match((await engine.search({ q: 'needle', path: missing })).reason ?? '', 'nothing at');
    const other = await engine.search({ q: 'absent', path: `${target}/in.txt` });
    assert.equal([other.results.length, other.reason], [0, undefined]);
  } finally {
    await engine.close();
  }
});

test('a path selects the object and its descendants, not similar names', async () => {
  await inWorld(async (plain, engine) => {
    for (const path of ['src/a.txt', 'src/b/c.txt', 'src2/d.txt', 'src.txt', 'src-old/e.txt']) {
      plain.texts.set(path, `needle in ${path}`);
    }
    await sync(engine, { target: 'plain://x' });
    const found = async (path: string): Promise<string[]> => {
      const { results } = await engine.grep({ pattern: 'needle', path });
      return results.map(({ source }) => source?.slice('plain://x/'.length) ?? '').sort();
    };
    assert.equal(await found('plain://x/src'), ['src/a.txt', 'src/b/c.txt']);
    assert.equal(await found('plain://x/src/b'), ['src/b/c.txt']);
    assert.equal(await found('plain://x/src.txt'), ['src.txt']);
    assert.is((await found('plain://x')).length, 5);
    for (const path of ['plain://x/sr', 'plain://x/none', 'plain://y']) {
      const query = { pattern: 'needle', path };
      assert.is((await rejection(() => engine.grep(query))).code, 'not_found', path);
    }
  });
});

test('a match in a record has its key, which reads it', async () => {
  await inWorld(async (plain, engine) => {
    const rows = Array.from({ length: 3000 }, (_, id) => ({
      key: { id, region: 'eu' },
      fields: { name: `row ${id}`, note: id % 1000 === 7 ? 'the needle' : 'hay' },
    }));
    plain.tables.set('people', rows);
    await sync(engine, { target: 'plain://x' });
    const { results } = await engine.grep({ pattern: 'needle', context: 2 });
    assert.equal(
      results.map(({ locator }) => locator),
      [7, 1007, 2007].map((id) => ({ id, region: 'eu' })),
    );
    for (const { source, locator, content } of results) {
      const opened = await engine.cat({
        path: source ?? '',
        locator: JSON.stringify(locator),
      });
      assert.is(opened.content, `${content}\n`);
    }
  });
});

test('a text searched in segments has the line numbers of the whole', async () => {
  await inWorld(async (plain, engine) => {
    const lines = 400_000;
    const numbers = [1, 2, 1000, 123_456, 399_999, 400_000];
    const line = (number: number): string =>
      numbers.includes(number) ? `needle ${number}` : `hay ${number}`;
    plain.texts.set('large.txt', async function* () {
      for (let first = 1; first <= lines; first += 1000) {
        const part = Array.from({ length: 1000 }, (_, index) => line(first + index));
        yield Buffer.from(`${part.join('\n')}\n`);
      }
    });
    await sync(engine, { target: 'plain://x' });
    for (const context of [0, 2]) {
      const { results } = await engine.grep({ pattern: '^needle', regex: true, context });
      assert.is(results.length, numbers.length);
      for (const [index, { source, locator, content }] of results.entries()) {
        const number = numbers[index] ?? 0;
        const from = Math.max(1, number - context);
        const to = Math.min(lines, number + context);
        assert.equal(locator, { lines: [from, to] });
        const shown = Array.from({ length: to - from + 1 }, (_, at) => line(from + at));
        assert.is(content, shown.join('\n'));
        const opened = await engine.cat({ path: source ?? '', locator: JSON.stringify(locator) });
        assert.is(opened.content, `${content}\n`);
      }
    }
  });
});

test('a notice names the source of a line that is too long', async () => {
  await inWorld(async (plain, engine) => {
    let long = false;
    plain.texts.set('a.txt', async function* () {
      yield Buffer.from('needle 1\n');
      const part = Buffer.alloc(1024 * 1024, 'x');
      for (let count = 0; long && count < 40; count++) yield part;
      yield Buffer.from('\nneedle 3\n');
    });
    await sync(engine, { target: 'plain://x' });
    long = true;
    const { results } = await engine.grep({ pattern: 'needle|x', regex: true });
    assert.equal(
      results.map(({ source, locator, content }) => [source, locator, content]),
      [
        ['plain://x/a.txt', { lines: [1, 1] }, 'needle 1'],
        [null, null, 'plain://x: Line 2 of a.txt is too long to search.'],
        ['plain://x/a.txt', { lines: [3, 3] }, 'needle 3'],
      ],
    );
  });
});

test('a runaway expression skips its text, not the whole search', async () => {
  await inWorld(async (plain, engine) => {
    plain.texts.set('a.txt', 'aaa');
    plain.texts.set('b.txt', `aaa\n${'a'.repeat(60)}!`);
    plain.texts.set('c.txt', 'aaa');
    await sync(engine, { target: 'plain://x' });
    const { results } = await engine.grep({ pattern: '^(a+)+$', regex: true });
    const sources = results.flatMap(({ source }) => source?.at(-5) ?? []);
    assert.equal(sources, ['a', 'b', 'c']);
    assert.match(
      results.find(({ via }) => via === 'notice')?.content ?? '',
      /^plain:\/\/x: The pattern takes too long in b\.txt/,
    );
  });
});

test('an answer is bounded in size', async () => {
  await inWorld(async (plain, engine) => {
    plain.texts.set('wide.txt', `${'needle '.repeat(300)}\n`.repeat(10_000));
    await sync(engine, { target: 'plain://x' });
    const { results, truncated } = await engine.grep({
      pattern: 'needle',
      limit: 10_000,
      context: 10,
    });
    assert.is(truncated, true);
    const chars = results.reduce((sum, { content }) => sum + content.length, 0);
    assert.ok(chars > 1e6 && chars <= 8 * 1024 * 1024, `${chars} characters`);
  });
});

test('an object that is not indexed is searched or reported', async () => {
  await inWorld(async (plain, engine) => {
    plain.texts.set('good.txt', 'a needle');
    plain.texts.set('bad.txt', async function* () {
      yield* [];
      throw new Error('the disk is gone');
    });
    await sync(engine, { target: 'plain://x' });
    const { results } = await engine.grep({ pattern: 'needle', path: 'plain://x' });
    assert.equal(
      results.map(({ source }) => source),
      [null, 'plain://x/good.txt'],
    );
    assert.match(results[0]?.content ?? '', /bad\.txt .*the disk is gone/);
  });
});

test('each page continues after the previous one', async () => {
  await inWorld(async (plain, engine) => {
    for (const name of ['a', 'b', 'c', 'd'])
      plain.texts.set(`${name}.txt`, 'needle\nhay\n'.repeat(25));
    const rows = Array.from({ length: 40 }, (_, id) => ({ key: { id }, fields: { x: 'needle' } }));
    plain.tables.set('table', rows);
    await sync(engine, { target: 'plain://x' });
    for (const path of ['plain://x', 'plain://x/c.txt', 'plain://x/table']) {
      const all = await engine.grep({ pattern: 'needle', path, limit: 10_000 });
      assert.is(all.truncated, false);
      assert.is(all.next, null);
      for (const limit of [9, 25, 139]) {
        const pages: unknown[] = [];
        let cursor: string | null = null;
        do {
          const query = { pattern: 'needle', path, limit, ...(cursor === null ? {} : { cursor }) };
          const page: GrepResponse = await engine.grep(query);
          assert.ok(page.results.length <= limit);
          assert.is(page.truncated, page.next !== null);
          pages.push(...page.results);
          cursor = page.next;
        } while (cursor !== null);
        assert.equal(pages, all.results, `${path} in pages of ${limit}`);
      }
    }
    assert.is((await engine.grep({ pattern: 'needle', path: 'plain://x' })).results.length, 140);
    for (const cursor of ['x', 'bm8', Buffer.from('["none","a.txt",1]').toString('base64url')]) {
      const { code, message } = await rejection(() => engine.grep({ pattern: 'needle', cursor }));
      assert.is(code, 'validation_error');
      assert.match(message, /^cursor: /);
    }
  });
});

test('globs, types and the limit per object narrow the search', async () => {
  await inWorld(async (plain, engine) => {
    const paths = ['a.ts', 'a.test.ts', 'lib/b.tsx', 'lib/deep/c.py', 'Makefile', 'lib/x.ts/d.md'];
    for (const path of paths) plain.texts.set(path, `needle ${path}\nneedle 2\n`);
    await sync(engine, { target: 'plain://x' });
    const found = async (query: object): Promise<string[]> => {
      const { results } = await engine.grep({ pattern: 'needle', path: 'plain://x', ...query });
      const hits = await engine.search({ q: 'needle', path: 'plain://x', top_k: 100, ...query });
      const names = (sources: readonly (string | null)[]): string[] =>
        [...new Set(sources)].map((source) => source?.slice('plain://x/'.length) ?? '').sort();
      const grepped = names(results.map(({ source }) => source));
      assert.equal(names(hits.results.map(({ source }) => source)), grepped, JSON.stringify(query));
      return grepped;
    };
    assert.equal(await found({ glob: '*.{ts,tsx}' }), [
      'a.test.ts',
      'a.ts',
      'lib/b.tsx',
      'lib/x.ts/d.md',
    ]);
    assert.equal(await found({ glob: '*.ts,!*.test.ts' }), ['a.ts', 'lib/x.ts/d.md']);
    assert.equal(await found({ glob: '!lib' }), ['Makefile', 'a.test.ts', 'a.ts']);
    assert.equal(await found({ glob: 'lib/*' }), ['lib/b.tsx', 'lib/deep/c.py', 'lib/x.ts/d.md']);
    assert.equal(await found({ type: 'py,make' }), ['Makefile', 'lib/deep/c.py']);
    assert.equal(await found({ type: 'ts', glob: 'lib/**' }), ['lib/b.tsx', 'lib/x.ts/d.md']);
    assert.equal(await found({ type: '!ts' }), ['Makefile', 'lib/deep/c.py']);
    assert.equal(await found({ path: 'plain://x/lib', glob: '/deep' }), ['lib/deep/c.py']);
    assert.equal(await found({ path: 'plain://x/a.ts', glob: '*.ts' }), ['a.ts']);
    assert.equal(await found({ glob: 'none' }), []);
    const one = await engine.grep({ pattern: 'needle', path: 'plain://x', max_per_object: 1 });
    assert.is(one.results.length, paths.length);
    for (const [query, reason] of [
      [{ glob: 'a[' }, /^glob: /],
      [{ glob: '{a,b}'.repeat(9) }, /^glob: /],
      [{ type: 'typescript' }, /^type: /],
      [{ only_matching: true, invert: true }, /^only_matching: /],
      [{ word: true, pattern: 'a\nb' }, /^pattern: /],
    ] as const) {
      const { code, message } = await rejection(() => engine.grep({ pattern: 'x', ...query }));
      assert.is(code, 'validation_error');
      assert.match(message, reason);
    }
  });
});

test('supports whole words, inverted matches and only the matching text', async () => {
  await inWorld(async (plain, engine) => {
    plain.texts.set('a.txt', 'cat\nconcat\n\n😀 a cat, a cat\n');
    await sync(engine, { target: 'plain://x' });
    const found = async (query: object): Promise<string[]> => {
      const { results } = await engine.grep({ pattern: 'cat', ...query });
      return results.map(({ match, content }) => `${match?.lines[0]}:${match?.column}:${content}`);
    };
    assert.equal(await found({ word: true }), ['1:1:cat', '4:6:😀 a cat, a cat']);
    assert.equal(await found({ invert: true }), ['3:1:']);
    assert.equal(await found({ invert: true, word: true }), ['2:1:concat', '3:1:']);
    assert.equal(await found({ only_matching: true }), ['1:1:cat', '2:4:cat', '4:6:cat\ncat']);
    const query = { pattern: '\\w+', regex: true, only_matching: true, context: 2 };
    assert.equal(await found(query), ['1:1:cat', '2:1:concat', '4:4:a\ncat\na\ncat']);
    assert.equal(await found({ pattern: '(?x) cat # a comment', regex: true, word: true }), [
      '1:1:cat',
      '4:6:😀 a cat, a cat',
    ]);
  });
});

test.run();
