import { defineConnector, TroveError, type Connector } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { waitUntil } from '@trove/test-support/waiting.js';
import { found, sync, World } from './support/engine.js';

const test = suite('interrupted listings');
const target = 'paged://x';
const lastPage = 22;

/** A source with 23 pages of one object, which yields a checkpoint after each page. */
class PagedSource {
  /** The pages that were requested, in order. */
  readonly requested: number[] = [];
  /** Pages whose object is gone. */
  readonly gone = new Set<number>();
  /** Called before each page. May throw or wait. */
  onPage: (page: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  plugin(kind: 'list' | 'changes') {
    return defineConnector({
      keys: ['paged'],
      configSchema: { type: 'object' },
      create: () => this.#connector(kind),
    });
  }

  #connector(kind: 'list' | 'changes'): Connector {
    const pages = (resume: unknown, signal: AbortSignal) => this.#pages(resume, signal);
    const entryOf = (page: number) =>
      ({ path: `${page}.md`, size: null, modifiedAt: null, fingerprint: '1' }) as const;
    return {
      check: async () => ({ ok: true, detail: 'reachable' }),
      async *list({ resume, signal }) {
        for await (const page of pages(resume, signal)) {
          if (page !== null) yield entryOf(page.number);
          if (page !== null) yield { checkpoint: page.number };
        }
      },
      ...(kind === 'changes' && {
        async *changes({ resume, signal, commit }) {
          commit('begun');
          if (resume === undefined) yield { reset: true };
          for await (const page of pages(resume, signal)) {
            if (page !== null) yield { entry: entryOf(page.number) };
            if (page !== null) yield { checkpoint: page.number };
          }
        },
      }),
      read: async (path) => ({ bytes: Buffer.from(`fruit of ${path}`) }),
    };
  }

  async *#pages(resume: unknown, signal: AbortSignal) {
    for (let number = Number(resume ?? -1) + 1; number <= lastPage; number++) {
      await this.onPage(number, signal);
      this.requested.push(number);
      yield this.gone.has(number) ? null : { number };
    }
  }
}

const allPages = Array.from({ length: lastPage + 1 }, (_, page) => page);

for (const kind of ['list', 'changes'] as const) {
  test(`${kind} continues after each of many pauses and requests no page twice`, async () => {
    const source = new PagedSource();
    const world = new World();
    const engine = await world.open({ plugins: [source.plugin(kind)] });
    try {
      let refused = -1;
      source.onPage = (page) => {
        if (page === refused) return;
        refused = page;
        throw tooMany();
      };
      const job = await sync(engine, { target });
      assert.equal([job.status, job.added], ['succeeded', allPages.length]);
      assert.equal(source.requested, allPages);
    } finally {
      await engine.close();
    }
  });

  test(`${kind} continues after a restart and deletes what is gone`, async () => {
    const source = new PagedSource();
    const world = new World();
    const first = await world.open({ plugins: [source.plugin(kind)] });
    assert.is((await sync(first, { target })).status, 'succeeded');
    source.gone.add(3).add(21);
    source.requested.length = 0;
    source.onPage = (page, signal) => (page === 20 ? untilAborted(signal) : undefined);
    await stopWhileListing(world, first, 19);

    source.onPage = () => undefined;
    const second = await world.open({ plugins: [source.plugin(kind)] });
    try {
      second.startWorker();
      const [job] = await second.jobs({ limit: 1 });
      await waitUntil(
        async () => (await second.job(job?.id ?? '')).finished_at !== null,
        'the end of the continued job',
      );
      const ended = await second.job(job?.id ?? '');
      assert.equal([ended.status, ended.removed], ['succeeded', 2]);
      assert.equal(source.requested, allPages);
      assert.is((await found(second, 'fruit')).includes(`${target}/21.md`), false);
      assert.is((await second.status()).connectors[0]?.object_count, allPages.length - 2);
    } finally {
      await second.close();
    }
  });
}

test('a listing continues after a checkpoint of an earlier version', async () => {
  const source = new PagedSource();
  const world = new World();
  const first = await world.open({ plugins: [source.plugin('list')] });
  source.onPage = (page, signal) => (page === 20 ? untilAborted(signal) : undefined);
  await stopWhileListing(world, first, 19);
  const isEmpty = '"isEmpty":false,';
  await world.database.query(
    `update trove_jobs set checkpoint = replace(checkpoint, '${isEmpty}', '')`,
  );
  source.onPage = () => undefined;
  const second = await world.open({ plugins: [source.plugin('list')] });
  try {
    second.startWorker();
    await waitUntil(
      async () => (await second.jobs({ status: 'succeeded' })).length === 1,
      'the end of the job',
    );
    assert.equal(source.requested, allPages);
  } finally {
    await second.close();
  }
});

test('a full sync with a lost checkpoint starts at the first page', async () => {
  const source = new PagedSource();
  const world = new World();
  const first = await world.open({ plugins: [source.plugin('list')] });
  source.onPage = (page, signal) => (page === 20 ? untilAborted(signal) : undefined);
  await stopWhileListing(world, first, 19);
  await world.database.query('update trove_jobs set checkpoint = null');
  source.onPage = () => undefined;
  const second = await world.open({ plugins: [source.plugin('list')] });
  try {
    second.startWorker();
    await waitUntil(
      async () => (await second.jobs({ status: 'succeeded' })).length === 1,
      'the end of the job',
    );
    assert.equal(source.requested, [...allPages.slice(0, 20), ...allPages]);
  } finally {
    await second.close();
  }
});

/** Starts a sync in the background and closes the engine when it has stored the checkpoint of a page. */
async function stopWhileListing(world: World, engine: Engine, page: number): Promise<void> {
  engine.startWorker();
  await engine.add({ target });
  const hasCheckpoint = async (): Promise<boolean> => {
    const rows = await world.database.query('select checkpoint from trove_jobs');
    return rows.some(({ checkpoint }) => String(checkpoint).includes(`"token":${page},`));
  };
  await waitUntil(hasCheckpoint, `the checkpoint of page ${page}`);
  await engine.close();
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tooMany(): TroveError {
  return new TroveError('connector_unhealthy', 'Too many requests', {
    retryable: true,
    retryAfterMs: 1,
  });
}

test.run();
