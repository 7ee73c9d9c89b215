import type {
  GenerationCatalog,
  GenerationReader,
  GenerationRecord,
  GenerationSpec,
} from '@trove/core/store';

import type { Database, Row, StoreSession } from '../database/types.js';
import { number, text } from '../database/values.js';
import { cancelled, endJob, lockJobs } from './end-job.js';
import { SqlObjects } from './objects.js';
import { catalogues, type GenerationScope, type StoreScope } from './scope.js';
import { SqlSources } from './sources.js';
import { SqlSummaries } from './summaries.js';

const columns = 'number, embedding, dimension, state';

export class SqlGenerations implements GenerationCatalog {
  readonly #scope: GenerationScope;

  constructor(scope: GenerationScope) {
    this.#scope = scope;
  }

  markUsed(): Promise<GenerationRecord | null> {
    const { db, base, number: own } = this.#scope;
    return db.write(async (session) => {
      const [row] = await session.all(
        `update trove_generations set used_at = ${db.dialect.now}
          where namespace = :base and number = :own and state = 'used'
          returning ${columns}, ${timeUnused(db)}`,
        { base, own },
      );
      if (row === undefined) return null;
      await addMissing(session, this.#scope);
      return generationOf(row);
    });
  }

  async listOthers(): Promise<GenerationRecord[]> {
    const { db, base, number: own } = this.#scope;
    const rows = await db.all(
      `select ${columns}, ${timeUnused(db)} from trove_generations
        where namespace = :base and number <> :own and state <> 'deleted'
        order by used_at desc, number desc`,
      { base, own },
    );
    return rows.map(generationOf);
  }

  async reader(generation: number): Promise<GenerationReader> {
    const { base } = this.#scope;
    const of = { ...this.#scope, namespace: catalogueOf(base, generation), number: generation };
    return {
      sources: new SqlSources(of),
      objects: new SqlObjects(of),
      summaries: new SqlSummaries(of),
    };
  }

  drop(generation: number, unusedMs: number): Promise<boolean> {
    return this.#scope.db.write((session) => drop(session, this.#scope, generation, unusedMs));
  }

  delete(generation: number): Promise<void> {
    const { db, base } = this.#scope;
    return db.write((session) =>
      session.run(
        `update trove_generations set state = 'deleted'
          where namespace = :base and number = :generation and state = 'dropped'`,
        { base, generation },
      ),
    );
  }
}

function timeUnused({ dialect }: Database): string {
  return `${dialect.now} - used_at as unused`;
}

/** Finds or creates a generation. Concurrent processes wait for each other. */
export async function beginGeneration(
  { db, namespace: base }: StoreScope,
  { embedding, dimension }: GenerationSpec,
): Promise<GenerationScope> {
  return db.write(async (session) => {
    await session.run(db.dialect.exclude);
    const known = await session.all(
      'select number, embedding, state from trove_generations where namespace = :base',
      { base },
    );
    const found = known.find((row) => row['embedding'] === embedding && row['state'] === 'used');
    const numbers = known.map((row) => number(row, 'number'));
    const own = found === undefined ? Math.max(0, ...numbers) + 1 : number(found, 'number');
    const scope = { db, base, number: own, namespace: catalogueOf(base, own) };
    if (found !== undefined) return scope;
    await session.run(
      `insert into trove_generations (namespace, number, catalogue, embedding, dimension, used_at, state)
        values (:base, :own, :catalogue, :embedding, :dimension, ${db.dialect.now}, 'used')`,
      { base, own, catalogue: scope.namespace, embedding, dimension },
    );
    await addMissing(session, scope);
    return scope;
  });
}

/** Namespaces contain no spaces. */
function catalogueOf(base: string, generation: number): string {
  return generation === 1 ? base : `${base} ${generation}`;
}

/** Adds the sources that only other generations have. */
async function addMissing(
  session: StoreSession,
  { db, namespace, base }: GenerationScope,
): Promise<void> {
  await session.run(
    `insert into trove_connectors (namespace, id, root_hash, root_uri, type, status, config, tree, registered_at,
        next_sync_at, failures, failing_since, error_code, error_detail, error_at)
      select cast(:namespace as text), o.id, o.root_hash, o.root_uri, o.type,
        case when o.status = 'removing' then o.status else 'active' end, o.config, o.tree, o.registered_at,
        o.next_sync_at, o.failures, o.failing_since, o.error_code, o.error_detail, o.error_at
      from trove_connectors o
      where o.namespace in ${catalogues} and o.namespace <> :namespace
        and not exists (select 1 from trove_connectors c
          where c.namespace = :namespace and c.id = o.id)
      order by o.seq ${db.dialect.lock}
      on conflict do nothing`,
    { namespace, base },
  );
}

async function drop(
  session: StoreSession,
  scope: GenerationScope,
  dropping: number,
  unusedMs: number,
): Promise<boolean> {
  const { db, base, namespace } = scope;
  const changed = await session.change(
    `update trove_generations set state = 'dropped'
      where namespace = :base and number = :dropping and number <> :own and state = 'used'
        and used_at <= ${db.dialect.now} - :unusedMs
        and exists (select 1 from trove_generations e
          where e.namespace = :base and e.number = :own and e.state = 'used')`,
    { base, dropping, own: scope.number, unusedMs: Math.round(unusedMs) },
  );
  if (changed === 0) return false;
  const of = { ...scope, namespace: catalogueOf(base, dropping), number: dropping };
  const bound = { of: of.namespace };
  // Dependent rows are deleted by cascade.
  await session.run('delete from trove_connectors where namespace = :of', bound);
  const live = await lockJobs(session, of, "status in ('queued', 'running')", {});
  for (const { seq } of live) await endJob(session, of, seq, cancelled);
  await session.run('update trove_jobs set namespace = :namespace where namespace = :of', {
    ...bound,
    namespace,
  });
  return true;
}

function generationOf(row: Row): GenerationRecord {
  return {
    number: number(row, 'number'),
    embedding: text(row, 'embedding'),
    dimension: number(row, 'dimension'),
    unusedMs: Math.max(0, number(row, 'unused')),
    isDropped: row['state'] !== 'used',
  };
}
