import { checkNames } from '@trove/connector-kit';
import { ByteBudget, createScanConnector, scanEstimate, totalText } from '@trove/connector-kit/sql';
import type { Connector, ConnectorContext, Health } from '@trove/core';

import { BigQueryApi } from './api.js';
import { BigQueryCatalog, type BigQueryTable } from './catalog.js';
import { scheme, type BigQueryConfig } from './config.js';
import { locateDatasets, type BigQueryLocation } from './location.js';
import { Partitions } from './partitions.js';
import { needsQuery, scanRows } from './rows.js';

/** Creates a connector for the tables and views of a project, or of one of its datasets. */
export function createBigQueryConnector(context: ConnectorContext<BigQueryConfig>): Connector {
  const { config, target } = context;
  const location = locateDatasets(target);
  const api = new BigQueryApi(location.project, context);
  const budget = new ByteBudget(config.max_bytes, scheme);
  const partitions = new Partitions(
    api,
    location.project,
    context.state,
    config.partitions ?? Infinity,
  );
  const filter = { schemas: config.datasets, tables: config.tables, views: config.views };
  const catalog = new BigQueryCatalog({
    api,
    location,
    filter,
    keys: config.keys,
    budget,
    partitions,
  });
  const options = { api, project: location.project, maxBytes: config.max_bytes };
  return createScanConnector<BigQueryTable>({
    levels: location.dataset === null ? 2 : 1,
    budget,
    tables: (signal) => catalog.tables(signal),
    table: (names, signal) => catalog.table(names, signal),
    scan: (table, scan, signal) => scanRows(options, table, scan, signal),
    isBilled: needsQuery,
    check: (signal) => healthOf({ api, catalog, location, config }, signal),
    close: () => api.close(),
  });
}

interface Checked {
  readonly api: BigQueryApi;
  readonly catalog: BigQueryCatalog;
  readonly location: BigQueryLocation;
  readonly config: BigQueryConfig;
}

/** Checks the login and the names, and estimates the first sync. */
async function healthOf(
  { api, catalog, location, config }: Checked,
  signal: AbortSignal,
): Promise<Health> {
  const login = await api.health(signal);
  if (!login.ok) return login;
  const project = `The project ${location.project}`;
  if (location.dataset === null && config.datasets.length > 0) {
    const existing = await api.datasets(signal);
    const missing = checkNames(project, 'dataset', 'datasets', config.datasets, existing);
    if (missing !== null) return missing;
  }
  if (location.dataset !== null && (await api.tables(location.dataset, signal)) === null)
    return { ok: false, detail: `${project} has no dataset ${location.dataset}.` };
  return { ok: true, detail: estimateOf(await catalog.tables(signal)) };
}

/** Describes what a first sync would read. */
function estimateOf(tables: readonly BigQueryTable[]): string {
  const billed = tables.filter(
    ({ listed, skip, holds }) => listed === null && skip === null && holds !== 'schema',
  );
  const cost =
    billed.length === 0 ? '' : ` Queries on views account for ${totalText(billed)} and are billed.`;
  return `${scanEstimate('A BigQuery source', tables)}${cost}`;
}
