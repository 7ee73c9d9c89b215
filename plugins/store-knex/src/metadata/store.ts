import { randomUUID } from 'node:crypto';

import type { GenerationSpec, MetadataStore } from '@trove/core/store';

import { migrate } from '../database/migrate.js';
import type { Database } from '../database/types.js';
import { text } from '../database/values.js';
import { SqlAlerts } from './alerts.js';
import { beginGeneration, SqlGenerations } from './generations.js';
import { SqlGraphs } from './graphs.js';
import { SqlJobs } from './jobs.js';
import { SqlLeases } from './leases.js';
import { SqlListings } from './listings.js';
import { SqlObjects } from './objects.js';
import { SqlRecords } from './records.js';
import { migrations } from './schema.js';
import type { StoreScope } from './scope.js';
import { SqlSources } from './sources.js';
import { SqlSummaries } from './summaries.js';
import { SqlTasks } from './tasks.js';
import { SqlTokens } from './tokens.js';
import { SqlTraining } from './training.js';

/**
 * Migrates the database and opens the metadata of one generation of a namespace. Creates the generation if it is
 * missing.
 */
export async function openMetadataStore(
  db: Database,
  namespace: string,
  generation: GenerationSpec,
): Promise<MetadataStore> {
  await migrate(db, 'metadata', migrations);
  const whole = { db, namespace };
  const scope = await beginGeneration(whole, generation);
  return {
    sources: new SqlSources(scope),
    jobs: new SqlJobs(scope),
    listings: new SqlListings(scope),
    tasks: new SqlTasks(scope),
    leases: new SqlLeases(scope),
    objects: new SqlObjects(scope),
    records: new SqlRecords(scope),
    summaries: new SqlSummaries(scope),
    graphs: new SqlGraphs(whole),
    alerts: new SqlAlerts(scope),
    training: new SqlTraining(whole),
    generations: new SqlGenerations(scope),
    tokens: new SqlTokens(whole),
    id: () => idOf(whole),
    // The vector index may be in the same database.
    size: () => db.size({ prefix: 'trove_', except: ['trove_cache', 'trove_index'] }),
    snapshot: (file) => db.snapshot(file),
    compact: async () => db.compact?.(),
    close: () => db.close(),
  };
}

/** Returns the id of the namespace and creates it at the first call. */
async function idOf({ db, namespace }: StoreScope): Promise<string> {
  return db.write(async (session) => {
    await session.run(
      `insert into trove_namespaces (namespace, id) values (:namespace, :id)
        on conflict (namespace) do nothing`,
      { namespace, id: randomUUID() },
    );
    const [row] = await session.all(db.table('trove_namespaces').select('id').where({ namespace }));
    if (row === undefined) throw new Error('the id of a namespace was not stored');
    return text(row, 'id');
  });
}
