import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import { databaseForm, dataSourceForm, pageForm } from './forms.js';
import { listPage } from './paging.js';
import { invalid } from './problems.js';
import type { DataSource, NotionWorld, Page } from './world.js';

type Json = Readonly<Record<string, unknown>>;

/** The version that knows databases in place of data sources. */
export const oldVersion = '2022-06-28';

/** Searches titles. The order is by time only on request. Nothing filters by time. */
export function searchAnswer(world: NotionWorld, request: FakeRequest): FakeAnswer {
  const body = jsonOf(request.body);
  const isOld = request.headers['notion-version'] === oldVersion;
  const filter = jsonOf(body['filter']);
  const { value: kind } = filter;
  const table = isOld ? 'database' : 'data_source';
  if (kind !== undefined && kind !== 'page' && kind !== table)
    return invalid(
      `body failed validation: body.filter.value should be \`"page"\` or \`"${table}"\`, instead was \`"${JSON.stringify(kind)}"\`.`,
    );
  const inTrash = filter['in_trash'] === true;
  const words = (typeof body['query'] === 'string' ? body['query'] : '').toLowerCase();
  const found = [
    ...(kind === 'page' || kind === undefined ? visiblePages(world) : []),
    ...(kind === 'page' ? [] : world.dataSources.values()),
  ].filter((item) => item.inTrash === inTrash && item.title.toLowerCase().includes(words));
  return listPage(
    { cursor: body['start_cursor'], size: body['page_size'] },
    sorted(found, jsonOf(body['sort'])),
    (item) => (isPage(item) ? pageForm(world, item) : tableForm(world, item, isOld)),
    { type: isOld ? 'page_or_database' : 'page_or_data_source', limit: world.resultLimit },
  );
}

/** Queries the rows of a data source. */
export function queryAnswer(
  world: NotionWorld,
  dataSource: DataSource,
  request: FakeRequest,
): FakeAnswer {
  const body = jsonOf(request.body);
  const filter = jsonOf(body['filter']);
  const since = jsonOf(filter['last_edited_time'])['on_or_after'];
  if (
    body['filter'] !== undefined &&
    (typeof since !== 'string' || Number.isNaN(Date.parse(since)))
  )
    return invalid('body failed validation: body.filter should be a filter by `last_edited_time`.');
  const from = typeof since === 'string' ? Date.parse(since) : 0;
  const inTrash = body['in_trash'] === true;
  const rows = visiblePages(world).filter(
    ({ parent, editedAt, ...page }) =>
      parent.type === 'data_source_id' &&
      parent.id === dataSource.id &&
      page.inTrash === inTrash &&
      Math.floor(editedAt / 60_000) * 60_000 >= from,
  );
  const [sort] = Array.isArray(body['sorts']) ? body['sorts'] : [];
  return listPage(
    { cursor: body['start_cursor'], size: body['page_size'] },
    sorted(rows, jsonOf(sort)),
    (row) => pageForm(world, row),
    { type: 'page_or_data_source', limit: world.resultLimit },
  );
}

function tableForm(world: NotionWorld, source: DataSource, isOld: boolean): unknown {
  return isOld ? databaseForm(world, source) : dataSourceForm(world, source);
}

function visiblePages(world: NotionWorld): Page[] {
  return [...world.pages.values()].filter(({ visibleAt }) => visibleAt <= world.now);
}

function isPage(item: DataSource | Page): item is Page {
  return 'markdown' in item;
}

function sorted<T extends DataSource | Page>(
  items: readonly T[],
  { timestamp, direction }: Json,
): readonly T[] {
  if (timestamp !== 'last_edited_time') return items;
  const sign = direction === 'ascending' ? 1 : -1;
  return items.toSorted((a, b) => sign * (a.editedAt - b.editedAt || (a.id < b.id ? -1 : 1)));
}

function jsonOf(value: unknown): Json {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
