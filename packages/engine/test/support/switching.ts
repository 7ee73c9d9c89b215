import type { Plugin } from '@trove/core';
import { defineEmbedder } from '@trove/core/model';
import type { Engine, EngineOptions } from '@trove/engine';
import { MemoryEmbedder } from '@trove/testkit';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { sync, World } from './engine.js';

const opened: Engine[] = [];

/** Closes everything that a test has left open. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
}

/** Semantic embedders that record their texts and can be made to fail. */
export function embedder(model: string, dimension = 32): MemoryEmbedder {
  return new MemoryEmbedder({ model, dimension, faults: {} });
}

interface Options extends Pick<Partial<EngineOptions>, 'index'> {
  readonly works?: boolean;
  readonly plugins?: Plugin[];
  readonly batchSize?: number;
}

export async function open(
  world: World,
  own: MemoryEmbedder,
  { works = true, plugins = [], batchSize = 128, ...rest }: Options = {},
): Promise<Engine> {
  const plugin = defineEmbedder({
    keys: ['chosen'],
    configSchema: { type: 'object' } as const,
    create: () => ({
      model: own.model,
      dimension: own.dimension,
      nature: 'semantic',
      embed: (texts, options) => own.embed(texts, options),
    }),
  });
  const engine = await world.open({
    plugins: [plugin, ...plugins],
    embedding: { provider: 'chosen', batchSize },
    ...rest,
  });
  opened.push(engine);
  if (works) engine.startWorker();
  return engine;
}

export async function close(engine: Engine): Promise<void> {
  opened.splice(opened.indexOf(engine), 1);
  await engine.close();
}

/** The progress of an engine, and whether the best hit for apples was found by its vector. */
export async function progress(engine: Engine) {
  return (await engine.status()).embedding.switch;
}

export async function nearness(engine: Engine): Promise<number | null | undefined> {
  const { results } = await engine.search({ q: 'apples', mode: 'hybrid' });
  return results[0]?.metadata.scores.dense;
}

export function embedded({ batches }: MemoryEmbedder): number {
  return batches.flat().filter((text) => text !== 'apples').length;
}

/** A world whose source was indexed with a former embedder. */
export async function indexed(former: MemoryEmbedder): Promise<World> {
  const world = new World();
  world.source.set('a.md', 'red apples');
  world.source.set('b.md', 'green pears');
  const engine = await open(world, former);
  assert.is((await sync(engine)).status, 'succeeded');
  await close(engine);
  return world;
}

export function held(of: MemoryEmbedder): () => void {
  let release = (): void => undefined;
  of.faults.hold = new Promise((resolve) => (release = resolve));
  return () => {
    of.faults.hold = null;
    release();
  };
}

/** Advances the clocks of the database and of this process. */
export async function minutesPass(
  holds: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  using clock = new ManualClock(Infinity, { date: true });
  await waitUntil(() => {
    clock.advance(60_000);
    return holds();
  }, what);
}
