import {
  summaryKinds,
  type SummaryCatalog,
  type SummaryChange,
  type SummaryRecord,
} from '@trove/core/store';

import type { Row, StoreSession } from '../database/types.js';
import { list, oneOf, rows, text } from '../database/values.js';
import { lockHeldJob } from './end-job.js';
import { connectorNumber, lockConnector, type StoreScope } from './scope.js';

const columnTypes = {
  id: 'text',
  path: 'text',
  kind: 'text',
  summary: 'text',
  revision: 'text',
} as const;
const columns = Object.keys(columnTypes).join(', ');
const updates = Object.keys(columnTypes)
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

type SummaryPageOptions = Parameters<SummaryCatalog['list']>[1];

export class SqlSummaries implements SummaryCatalog {
  readonly #scope: StoreScope;

  constructor(scope: StoreScope) {
    this.#scope = scope;
  }

  findByPath(connectorId: string, paths: readonly string[]): Promise<SummaryRecord[]> {
    return byPath(this.#scope, connectorId, paths);
  }

  list(connectorId: string, options: SummaryPageOptions): Promise<SummaryRecord[]> {
    return after(this.#scope, connectorId, options);
  }

  put(jobId: string, worker: string, change: SummaryChange): Promise<boolean> {
    return put(this.#scope, jobId, worker, change);
  }
}

/** The cross join makes SQLite look up the paths in the index instead of the reverse. */
async function byPath(
  { db, namespace }: StoreScope,
  connectorId: string,
  paths: readonly string[],
): Promise<SummaryRecord[]> {
  if (paths.length === 0) return [];
  const { key, elements } = db.dialect;
  const found = await db.all(
    `select s.* from ${elements(':paths', 'v')} cross join trove_summaries s
      where s.connector = ${connectorNumber}
        and ${key('s.path')} = ${key('v.value')} and s.path = v.value`,
    { namespace, connectorId, paths: list(new Set(paths)) },
  );
  return found.map(summaryOf);
}

async function after(
  { db, namespace }: StoreScope,
  connectorId: string,
  options: SummaryPageOptions,
): Promise<SummaryRecord[]> {
  const { key } = db.dialect;
  const found = await db.all(
    `select ${columns} from trove_summaries
      where connector = ${connectorNumber}
        and ${key('path')} >= ${key(':start')} and path ${options.after === null ? '>=' : '>'} :start
      order by ${key('path')}, path limit :limit`,
    { namespace, connectorId, start: options.after ?? '', limit: options.limit },
  );
  return found.map(summaryOf);
}

async function put(
  scope: StoreScope,
  jobId: string,
  worker: string,
  change: SummaryChange,
): Promise<boolean> {
  const { db, namespace } = scope;
  return db.write(async (session) => {
    const [known] = await session.all(
      db.table('trove_jobs').select('connector_id').where({ namespace, id: jobId }),
    );
    if (known === undefined) return false;
    const connector = await lockConnector(session, scope, text(known, 'connector_id'));
    const job = await lockHeldJob(session, scope, jobId, worker);
    if (connector === null || job === null) return false;
    await deleteSummaries(session, scope, connector, change.removed);
    await putRecords(session, scope, connector, change.put);
    await count(session, job.seq, change);
    return true;
  });
}

export async function deleteSummaries(
  session: StoreSession,
  { db }: StoreScope,
  connector: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await session.run(
    `delete from trove_summaries where connector = :connector and ${db.dialect.isOneOf('id', 'ids', 'text')}`,
    { connector, ids: list(ids) },
  );
}

/** The last record of each id wins. */
async function putRecords(
  session: StoreSession,
  { db }: StoreScope,
  connector: number,
  records: readonly SummaryRecord[],
): Promise<void> {
  const distinct = [...new Map(records.map((record) => [record.id, record])).values()];
  if (distinct.length === 0) return;
  const values = distinct.map(({ id, path, kind, text: summary, revision }) => [
    id,
    path,
    kind,
    summary,
    revision,
  ]);
  await session.run(
    `insert into trove_summaries (connector, ${columns})
      select cast(:connector as bigint), ${columns} from ${db.dialect.rows('records', columnTypes)} r
      where true order by r.id
      on conflict (connector, id) do update set ${updates}`,
    { connector, records: rows(values) },
  );
}

async function count(
  session: StoreSession,
  seq: number,
  { put: written, modelUsage }: SummaryChange,
): Promise<void> {
  await session.run(
    `update trove_jobs set summarizing = 1, summaries = summaries + :written,
        deaths = case when :written > 0 then 0 else deaths end,
        model_calls = model_calls + :calls,
        model_input_tokens = model_input_tokens + :input,
        model_output_tokens = model_output_tokens + :output
      where seq = :seq`,
    {
      seq,
      written: written.length,
      calls: modelUsage.calls,
      input: modelUsage.inputTokens,
      output: modelUsage.outputTokens,
    },
  );
}

function summaryOf(row: Row): SummaryRecord {
  return {
    id: text(row, 'id'),
    path: text(row, 'path'),
    kind: oneOf(row, 'kind', summaryKinds),
    text: text(row, 'summary'),
    revision: text(row, 'revision'),
  };
}
