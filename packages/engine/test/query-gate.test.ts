import { setImmediate } from 'node:timers/promises';

import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejection } from '@trove/test-support/rejection.js';
import { alteredIndex, World } from './support/engine.js';

const test = suite('concurrent queries of the index');

/** An index whose queries end under control of the test. */
class Held {
  readonly ends: (() => void)[] = [];
  begun = 0;
  #awaited: { begun: number; reached: () => void } | null = null;

  query(): Promise<void> {
    this.begun++;
    if (this.begun === this.#awaited?.begun) this.#awaited.reached();
    return new Promise((resolve) => this.ends.push(resolve));
  }

  /** Resolves when this many queries have started. */
  until(begun: number): Promise<void> {
    if (this.begun >= begun) return Promise.resolve();
    return new Promise((reached) => (this.#awaited = { begun, reached }));
  }

  endAll(): void {
    for (const end of this.ends.splice(0)) end();
  }
}

async function withHeld(
  use: (engine: Engine, held: Held) => Promise<void>,
  looksUp: (terms: readonly string[]) => void = () => undefined,
): Promise<void> {
  const held = new Held();
  const world = new World();
  const index = alteredIndex(world.storage, (collection) => {
    collection.search = async () => {
      await held.query();
      return { dense: [], sparse: [] };
    };
    const frequencies = collection.frequencies.bind(collection);
    collection.frequencies = (terms, query) => {
      looksUp(terms);
      return frequencies(terms, query);
    };
  });
  const engine = await world.open({ plugins: [index], index: { uri: 'altered://index' } });
  try {
    await use(engine, held);
  } finally {
    await engine.close();
  }
}

function search(engine: Engine, signal?: AbortSignal, q = 'x'): Promise<unknown> {
  const query = { q, mode: 'keyword' } as const;
  return engine
    .search(query, signal === undefined ? {} : { signal })
    .catch((error: unknown) => error);
}

/** Starts the maximum number of concurrent searches and one that waits. */
async function fill(engine: Engine, held: Held, signal?: AbortSignal): Promise<Promise<unknown>[]> {
  const searches = Array.from({ length: 5 }, () => search(engine, signal));
  await held.until(2);
  // All possible searches have started before a call that needs no index query returns.
  await engine.status();
  return searches;
}

test('a few run concurrently and the others follow', () =>
  withHeld(async (engine, held) => {
    const searches = await fill(engine, held);
    const atOnce = held.begun;
    assert.ok(atOnce >= 2 && atOnce <= 4, `${atOnce} at once`);
    for (let begun = atOnce + 1; begun <= 5; begun++) {
      held.ends.shift()?.();
      await held.until(begun);
    }
    held.endAll();
    assert.equal(
      await Promise.all(searches),
      searches.map(() => ({ results: [] })),
    );
  }));

test('a spelling lookup does not queue behind later searches', async () => {
  let reached = (): void => undefined;
  const lookedUp = new Promise<void>((resolve) => (reached = resolve));
  const looksUp = (terms: readonly string[]): void => void (terms.includes('wrod') && reached());
  await withHeld(async (engine, held) => {
    const doubtful = search(engine, undefined, 'wrod');
    await held.until(1);
    const searches = await fill(engine, held);
    const before = held.begun;
    held.ends.shift()?.();
    await held.until(before + 1);
    held.ends.shift()?.();
    await Promise.race([lookedUp, held.until(before + 2)]);
    assert.is(held.begun, before + 1);
    while (held.begun < 6) {
      held.endAll();
      await setImmediate();
    }
    held.endAll();
    await Promise.all([doubtful, ...searches]);
  }, looksUp);
});

test('an aborted search keeps its slot; a waiting one never starts', () =>
  withHeld(async (engine, held) => {
    const controller = new AbortController();
    const abandoned = await fill(engine, held, controller.signal);
    const atOnce = held.begun;
    controller.abort(new Error('gone'));
    const next = search(engine);
    await engine.status();
    assert.is(held.begun, atOnce, 'no search starts while abandoned queries run');
    held.endAll();
    await held.until(atOnce + 1);
    held.endAll();
    assert.equal(await next, { results: [] });
    await Promise.all(abandoned);
    assert.is(held.begun, atOnce + 1, 'no aborted search started');
  }));

test('rejects searches beyond the queue limit as retryable', () =>
  withHeld(async (engine, held) => {
    const controller = new AbortController();
    const waiting = Array.from({ length: 150 }, () => search(engine, controller.signal));
    await held.until(2);
    const refused = await rejection(() => engine.search({ q: 'x', mode: 'keyword' }));
    assert.is(refused.code, 'overloaded');
    assert.is(refused.retryAfterMs, 1000);
    controller.abort(new Error('gone'));
    held.endAll();
    await Promise.all(waiting);
    const next = search(engine);
    await held.until(held.begun);
    held.endAll();
    await engine.status();
    held.endAll();
    assert.equal(await next, { results: [] });
  }));

test('closing an engine finishes running queries and rejects waiting ones', () =>
  withHeld(async (engine, held) => {
    const searches = await fill(engine, held);
    const closed = engine.close().then(() => true);
    while (!(await Promise.race([closed, setImmediate(false)]))) held.endAll();
    for (const answer of await Promise.all(searches)) assert.equal(answer, { results: [] });
    const refused = await rejection(() => engine.search({ q: 'x', mode: 'keyword' }));
    assert.is(refused.code, 'engine_closed');
  }));

test.run();
