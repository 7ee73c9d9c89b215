import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { shortenHit } from '../src/query/search/passage.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  engine: Engine;
}

const test = suite<Context>('answers for agents');

const none = { terms: [], forms: new Map<string, string[]>() };
const about = (...terms: string[]) => ({ ...none, terms });
const filler = Array.from({ length: 30 }, (_, i) => `filler line number ${i}`);

const byText = (one: string, other: string): number => one.localeCompare(other);
const prose = [
  '# Orchard',
  ...filler,
  'A quince is a fruit.',
  'The quince tree needs a frost.',
  ...filler,
  '',
].join('\n');
const code = `import { a } from './a.js';

/** Counts quinces in a basket. */
export function countQuinces(basket) {
  return basket.filter(a).length;
}
`;
const helper = `import { countQuinces } from './quince.js';

const total = countQuinces([]);
console.log('quinces', total);
`;

test.before(async (context) => {
  const world = new World();
  world.source.set('docs/orchard.md', prose, { modifiedAt: Date.parse('2026-01-03') });
  world.source.set('src/quince.ts', code, { modifiedAt: Date.parse('2026-01-02') });
  world.source.set('test/quince.test.ts', helper, { modifiedAt: Date.parse('2026-01-01') });
  world.source.set('src/use.ts', helper.replace('total', 'sum'), { modifiedAt: null });
  world.source.set('long.txt', `${'word '.repeat(100)}quince ${'other '.repeat(100)}`, {
    modifiedAt: null,
  });
  context.engine = await world.open();
  await sync(context.engine);
});

test.after(({ engine }) => engine.close());

test('returns whole lines around the best matches, and their lines', async ({ engine }) => {
  const { results } = await engine.search({ q: 'quince frost', snippet: 120, top_k: 20 });
  assert.ok(results.length >= 4);
  for (const { content } of results) assert.ok(content.length <= 120, content);
  const hit = results.find(({ source }) => source === `${root}/docs/orchard.md`);
  assert.match(hit?.content ?? '', 'A quince is a fruit.\nThe quince tree needs a frost.');
  const read = await engine.cat({
    path: hit?.source ?? '',
    locator: JSON.stringify(hit?.locator),
  });
  assert.is(read.content, `${hit?.content}\n`);
  assert.match(read.content, /^filler line number/);
});

test('cuts a longer line around the match', async ({ engine }) => {
  const path = `${root}/long.txt`;
  const { results } = await engine.search({ q: 'quince', snippet: 80, path });
  const [hit] = results;
  assert.match(hit?.content ?? '', /^….* quince .*…$/);
  assert.is(hit?.content.length, 80);
  const read = await engine.cat({ path, locator: JSON.stringify(hit?.locator) });
  assert.is(`…${read.content}…`, hit?.content);
});

test('returns the first lines if no term occurs', () => {
  const hit = { content: 'one\ntwo\nthree\n', locator: { lines: [7, 9] } };
  const expected = { content: 'one\ntwo', locator: { lines: [7, 8] } };
  assert.equal(shortenHit(hit, none, 8), expected);
  assert.equal(shortenHit(hit, about('zebra'), 8), expected);
  assert.equal(shortenHit(hit, about('three'), 5).locator, { lines: [9, 9] });
  assert.equal(shortenHit(hit, none, 100), hit);
  assert.is(shortenHit({ ...hit, locator: null }, none, 8).locator, null);
  assert.equal(shortenHit({ ...hit, locator: { id: 3 } }, none, 8).locator, { id: 3 });
});

test('cuts no character in two', () => {
  const content = '🍐'.repeat(100);
  for (let chars = 10; chars < 20; chars++) {
    const { content: cut } = shortenHit({ content, locator: null }, none, chars);
    assert.ok(cut.length <= chars && cut.isWellFormed(), cut);
  }
  const hit = { content: `${content} quince`, locator: { lines: [4, 4], chars: [50, 260] } };
  const { content: cut, locator } = shortenHit(hit, about('quinc'), 30);
  assert.match(cut, /^….*quince$/u);
  assert.ok(cut.isWellFormed(), cut);
  const [from = 0, to = 0] = locator?.['chars'] ?? [];
  assert.is(`…${hit.content.slice(from - 50, to - 50)}`, cut);
});

test('prefers lines with several terms to repetitions of one', () => {
  const content = ['pear', 'pear pear', 'x'.repeat(20), 'pear frost', 'end'].join('\n');
  const { content: found } = shortenHit({ content, locator: null }, about('pear', 'frost'), 14);
  assert.is(found, 'pear frost\nend');
});

test('states what each hit is', async ({ engine }) => {
  const kinds = async (q: string) => {
    const { results } = await engine.search({ q, top_k: 20 });
    return Object.fromEntries(
      results.map(({ source, metadata }) => [source.slice(root.length + 1), metadata.kind]),
    );
  };
  assert.equal(await kinds('countQuinces quince'), {
    'docs/orchard.md': 'documentation',
    'src/quince.ts': 'definition',
    'src/use.ts': 'text',
    'test/quince.test.ts': 'test',
    'long.txt': 'text',
  });
});

test('keeps a response within its bytes and says how to continue', async ({ engine }) => {
  const request = { q: 'quince', top_k: 20 };
  const whole = await engine.search(request);
  assert.is(whole.truncated, undefined);
  const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  for (const bytes of [1000, 1500, 2500, 4000]) {
    const pages: string[] = [];
    let offset = 0;
    for (let calls = 0; calls < 20; calls++) {
      const page = await engine.search({ ...request, offset, max_bytes: bytes });
      assert.ok(size(page) <= bytes, `${size(page)} of ${bytes}`);
      pages.push(...page.results.map(({ source }) => source));
      if (page.next_offset === undefined) break;
      assert.is(page.truncated, true);
      assert.is(page.next_offset, offset + Math.max(1, page.results.length));
      offset = page.next_offset;
    }
    assert.equal(
      pages,
      whole.results.map(({ source }) => source),
    );
  }
  const [first] = (await engine.search({ ...request, top_k: 1, max_bytes: 1000 })).results;
  const [same] = whole.results;
  assert.is(first?.source, same?.source);
  const exact = await engine.search({ ...request, max_bytes: size(whole) });
  assert.equal(exact, whole);
  assert.is((await engine.search({ ...request, max_bytes: size(whole) - 1 })).truncated, true);
});

test('returns only the selected members', async ({ engine }) => {
  const request = { q: 'quince', top_k: 2 };
  const { results } = await engine.search({ ...request, fields: 'source, kind,locator' });
  for (const hit of results) {
    assert.equal(Object.keys(hit), ['source', 'locator', 'metadata']);
    assert.equal(Object.keys(hit.metadata), ['kind']);
  }
  const [hit] = (await engine.search({ ...request, fields: 'score' })).results;
  assert.equal(Object.keys(hit ?? {}), ['score']);
  const error = await rejection(async () =>
    engine.search({ ...request, fields: 'source,contnet' }),
  );
  assert.is(error.code, 'validation_error');
  assert.equal(error.suggestions, ['Did you mean `content`?']);
});

test('orders the most relevant hits by their last change', async ({ engine }) => {
  const request = { q: 'quince', sort: 'modified', top_k: 20 } as const;
  const { results } = await engine.search(request);
  const times = results.map(({ metadata }) => metadata.modified_at?.slice(0, 10) ?? null);
  assert.equal(times.slice(0, 3), ['2026-01-03', '2026-01-02', '2026-01-01']);
  assert.ok(times.slice(3).every((time) => time === null));
  assert.ok(results.every(({ metadata }) => metadata.scores.rerank === null));
  const second = await engine.search({ ...request, offset: 1, top_k: 2 });
  assert.equal(second.results, results.slice(1, 3));
});

test('finds only objects modified in a time', async ({ engine }) => {
  const found = async (times: { since?: string; until?: string }) => {
    const { results } = await engine.search({ q: 'quince', top_k: 20, ...times });
    return results.map(({ metadata }) => metadata.modified_at?.slice(8, 10) ?? '').toSorted(byText);
  };
  assert.equal(await found({ since: '2026-01-02' }), ['02', '03']);
  assert.equal(await found({ since: '2026-01-02', until: '2026-01-03' }), ['02']);
  assert.equal(await found({ since: '2026-01-02T00:00:01Z' }), ['03']);
  assert.equal(await found({ until: '2026-01-01T12:00' }), ['01']);
  const days = Math.ceil((Date.now() - Date.parse('2026-01-02')) / 86_400_000);
  assert.equal(await found({ since: `${days}d` }), ['02', '03']);
  assert.equal(await found({ until: `${days * 24}h` }), ['01']);
  for (const since of ['yesterday', '7', '2026-13-01', '-1d']) {
    const error = await rejection(async () => engine.search({ q: 'quince', since }));
    assert.is(error.code, 'validation_error', since);
    assert.match(error.message, /^since: /);
  }
});

test.run();
