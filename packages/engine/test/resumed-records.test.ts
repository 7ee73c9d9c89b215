import { defineConnector, TroveError, type SourceRecord } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { waitUntil } from '@trove/test-support/waiting.js';
import { NumberSet } from '../src/ingest/records/number-set.js';
import { found, sync, World } from './support/engine.js';

const test = suite('interrupted streams of records');
const target = 'paged://x';
const source = `${target}/rows.jsonl`;
const lastPage = 22;
const perPage = 4;
const allPages = Array.from({ length: lastPage + 1 }, (_, page) => page);

/** An object with 23 pages of records, and a checkpoint after each page. */
class PagedRecords {
  /** The pages that were requested, in order. */
  readonly requested: number[] = [];
  /** The ids of deleted records. */
  readonly gone = new Set<number>();
  version = 1;
  /** Called before each page. May throw or wait. */
  onPage: (page: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  plugin() {
    return defineConnector({
      keys: ['paged'],
      configSchema: { type: 'object' },
      create: () => ({
        check: async () => ({ ok: true, detail: 'reachable' }),
        list: async function* () {
          yield {
            path: 'rows.jsonl',
            kind: 'record_collection',
            size: null,
            modifiedAt: null,
            fingerprint: null,
            keyFields: ['id'],
          } as const;
        },
        records: (_path, { resume, signal }) => this.#records(resume, signal),
      }),
    });
  }

  async *#records(resume: unknown, signal: AbortSignal) {
    for (let page = Number(resume ?? -1) + 1; page <= lastPage; page++) {
      await this.onPage(page, signal);
      this.requested.push(page);
      for (let id = page * perPage; id < (page + 1) * perPage; id++)
        if (!this.gone.has(id)) yield this.#record(id);
      yield { checkpoint: page };
    }
  }

  #record(id: number): SourceRecord {
    return { key: { id }, fields: { name: `fruit ${id}` }, version: String(this.version) };
  }
}

test('continue after each of many pauses and request no page twice', async () => {
  const records = new PagedRecords();
  const world = new World();
  const engine = await world.open({ plugins: [records.plugin()] });
  try {
    let refused = -1;
    records.onPage = (page) => {
      if (page === refused) return;
      refused = page;
      throw tooMany();
    };
    const job = await sync(engine, { target });
    assert.equal([job.status, job.added, job.failures], ['succeeded', 1, []]);
    assert.equal(records.requested, allPages);
    assert.is(await countFound(engine), allPages.length * perPage);
  } finally {
    await engine.close();
  }
});

test('find changes and deletions on both sides of a restart', async () => {
  const records = new PagedRecords();
  const world = new World();
  const first = await world.open({ plugins: [records.plugin()] });
  await sync(first, { target });
  records.requested.length = 0;
  records.version = 2;
  records.gone.add(5).add(86);
  let isRefused = false;
  records.onPage = (page, signal) => {
    if (page !== 20) return;
    if (isRefused) return untilAborted(signal);
    isRefused = true;
    throw tooMany();
  };
  first.startWorker();
  await first.add({ target });
  await waitUntil(() => isRefused, 'the refusal of page 20');
  await waitUntil(async () => (await checkpointOf(world)).includes('"token":19,'), 'a checkpoint');
  await first.close();

  records.onPage = () => undefined;
  const second = await world.open({ plugins: [records.plugin()] });
  try {
    second.startWorker();
    const [last] = await second.jobs({ limit: 1 });
    const id = last?.id ?? '';
    await waitUntil(async () => (await second.job(id)).finished_at !== null, 'the end of the job');
    const job = await second.job(id);
    assert.equal([job.status, job.changed, job.failures], ['succeeded', 1, []]);
    assert.equal(records.requested, allPages);
    assert.is(await countFound(second), allPages.length * perPage - 2);
  } finally {
    await second.close();
  }
});

test('continue from a checkpoint although later records are stored', async () => {
  const records = new PagedRecords();
  const world = new World();
  const plugin = records.plugin();
  const engine = await world.open({
    plugins: [
      {
        ...plugin,
        create: async (context) => {
          const connector = await plugin.create(context);
          return {
            ...connector,
            // Breaks off in the middle of a page.
            async *records(path, options) {
              let count = 0;
              for await (const item of connector.records?.(path, options) ?? []) {
                yield item;
                if (options.resume === undefined && ++count === 8) throw tooMany();
              }
            },
          };
        },
      },
    ],
  });
  try {
    const job = await sync(engine, { target });
    assert.equal([job.status, job.failures], ['succeeded', []]);
    assert.equal(records.requested, [0, 1, ...allPages.slice(1)]);
    assert.is(await countFound(engine), allPages.length * perPage);
  } finally {
    await engine.close();
  }
});

test('a checkpoint that cannot be stored does not hide the error of the source', async () => {
  const records = new PagedRecords();
  const world = new World();
  const engine = await world.open({ plugins: [records.plugin()] });
  try {
    await world.database.query(
      `create trigger refuse before update of checkpoint on trove_tasks
        when new.checkpoint is not null begin select raise(abort, 'refused'); end`,
    );
    records.onPage = (page) => {
      if (page === 3) throw new TroveError('connector_unhealthy', 'The door is shut');
    };
    const { failures } = await sync(engine, { target });
    assert.equal(
      failures.map(({ error }) => error),
      ['The door is shut'],
    );
  } finally {
    await engine.close();
  }
});

test('a set of numbers is restored from its list and can be merged', () => {
  const set = new NumberSet();
  for (const number of [0, 7, 8, 65_535, 65_536, 1_000_000]) set.add(number);
  const restored = NumberSet.of(JSON.parse(JSON.stringify(set.list())));
  assert.is(restored.size, 6);
  const other = new NumberSet();
  for (const number of [7, 9, 200_000]) other.add(number);
  restored.addAll(other);
  assert.is(restored.size, 8);
  for (const number of [0, 7, 8, 9, 65_535, 65_536, 200_000, 1_000_000])
    assert.ok(restored.has(number), `${number}`);
  assert.not(restored.has(10));
});

async function checkpointOf(world: World): Promise<string> {
  const rows = await world.database.query('select checkpoint from trove_tasks');
  return rows.map(({ checkpoint }) => String(checkpoint)).join();
}

/** Counts the records that a search finds. */
async function countFound(engine: Engine): Promise<number> {
  assert.equal([...new Set(await found(engine, 'fruit'))], [source]);
  const { connectors } = await engine.status();
  return connectors[0]?.chunk_count ?? 0;
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
