import type { Engine } from '@trove/engine';
import { createHash } from 'node:crypto';
import { defineEmbedder } from '@trove/core/model';
import { MemoryEmbedder } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sync, World } from './support/engine.js';

const modes = ['hybrid', 'semantic', 'keyword'] as const;
const test = suite<{ engine: Engine; meaning: Engine }>('scores');

/** Counts words but claims to be semantic. */
const ofMeaning = defineEmbedder({
  keys: ['meaning'],
  configSchema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => {
    const words = new MemoryEmbedder();
    return {
      model: 'meaning',
      dimension: words.dimension,
      nature: 'semantic' as const,
      embed: (texts, options) => words.embed(texts, options),
    };
  },
});

test.before(async (context) => {
  const world = new World();
  world.source.set('restore.md', 'Restore the backup\nof a broken database');
  for (let i = 0; i < 20; i++) {
    world.source.set(`other/${i}.md`, `A database of ${'many words '.repeat(i)} and paper ${i}`);
  }
  context.engine = await world.open();
  await sync(context.engine);
  const semantic = new World();
  semantic.source.set('restore.md', 'Restore the backup of a broken database');
  const embedding = { provider: 'meaning' };
  context.meaning = await semantic.open({ plugins: [ofMeaning], embedding });
  await sync(context.meaning);
});

test.after(async ({ engine, meaning }) => {
  await engine.close();
  await meaning.close();
});

async function scores(engine: Engine, query: Parameters<Engine['search']>[0]): Promise<number[]> {
  return (await engine.search(query)).results.map(({ score }) => score ?? NaN);
}

test('a query without indexed words has no hits in any mode', async ({ engine }) => {
  for (const mode of modes) {
    for (const q of ['zzqxv', 'zzqxv wqpfk', '???']) {
      assert.equal(await scores(engine, { q, mode }), [], `${mode} ${q}`);
    }
  }
});

test('a full match scores about 1, half a match about 0.5, no hit 0', async ({ engine }) => {
  for (const mode of modes) {
    const [perfect = 0, ...others] = await scores(engine, {
      q: 'restore the backup of a broken database',
      mode,
      top_k: 30,
    });
    assert.ok(perfect > 0.95, `${mode}: ${perfect}`);
    assert.ok(
      others.length > 0 && others.every((score) => score > 0 && score < 0.8),
      `${mode}: ${others.join()}`,
    );
    const [half = 0] = await scores(engine, { q: 'backup zzqxv', mode });
    assert.ok(half > 0.4 && half < 0.6, `${mode}: ${half}`);
  }
});

test('a hit has the same score on every page', async ({ engine }) => {
  for (const mode of modes) {
    for (const collapse of [false, true]) {
      const ask = (offset: number, limit: number) =>
        scores(engine, { q: 'database paper backup', mode, collapse, offset, top_k: limit });
      const all = await ask(0, 12);
      assert.equal([...(await ask(0, 5)), ...(await ask(5, 7))], all, mode);
    }
  }
});

test('with semantic vectors, the score combines vectors and words', async ({ meaning }) => {
  for (const mode of modes) {
    const q = 'restore the backup of a broken database';
    const [perfect = 0] = await scores(meaning, { q, mode });
    assert.ok(perfect > 0.8, `${mode}: ${perfect}`);
    const { results } = await meaning.search({ q: 'zzqxv', mode });
    assert.ok(
      results.every(({ score }) => (score ?? 1) < 0.5),
      mode,
    );
  }
});

/** A word with the same vector as another in this many dimensions. */
function alike(word: string, dimension: number): string {
  const place = (of: string): number =>
    createHash('sha256').update(of).digest().readUInt32BE() % dimension;
  for (let at = 0; ; at++) if (place(`w${at}`) === place(word)) return `w${at}`;
}

test('every mode finds texts with a query word before nearer ones without', async () => {
  const world = new World();
  const other = alike('zebra', new MemoryEmbedder().dimension);
  for (let i = 0; i < 60; i++) world.source.set(`other/${i}.md`, `${other} `.repeat(i + 1));
  const long = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
  for (const name of ['a', 'b', 'c']) world.source.set(`${name}.md`, `${long} ${name} zebra`);
  const engine = await world.open();
  try {
    await sync(engine);
    for (const mode of modes) {
      for (const collapse of [false, true]) {
        const found = await scores(engine, { q: 'zebra', mode, collapse });
        assert.is(found.length, 3, `${mode} ${collapse}`);
        assert.ok(
          found.every((score) => score > 0),
          `${mode} ${collapse}: ${found.join()}`,
        );
        const later = await scores(engine, { q: 'zebra', mode, collapse, offset: 1 });
        assert.is(later.length, 2, `${mode} ${collapse}`);
      }
    }
  } finally {
    await engine.close();
  }
});

test.run();
