import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';

import { parseFormula } from './formula.js';
import { expired, invalid } from './problems.js';
import type { AirtableWorld, Row, Table } from './world.js';

const maxSize = 100;

type Query = FakeRequest['query'];

/** Answers a listing of the records of a table. */
export function recordsAnswer(world: AirtableWorld, table: Table, query: Query): FakeAnswer {
  const size = pageSize(query);
  if (size === null) return parameterProblem('pageSize');
  const names = fieldNames(table, query);
  if (typeof names === 'string')
    return invalid('UNKNOWN_FIELD_NAME', `Unknown field name: "${names}"`);
  const found = remainingRows(world, table, query);
  if ('refusal' in found) return found.refusal;
  const { rows } = found;
  const next = rows.slice(size);
  const offset = next.length === 0 ? undefined : storeIterator(world, next);
  return {
    json: {
      records: rows
        .slice(0, size)
        .flatMap((id) => world.rows.get(id) ?? [])
        .map((row) => ({
          id: row.id,
          createdTime: new Date(row.createdAt).toISOString(),
          ...(hasValue(query, 'recordMetadata', 'commentCount')
            ? { commentCount: world.commentsOf(row.id).length }
            : {}),
          fields: fieldsForm(table, row, names, query.get('returnFieldsByFieldId') === 'true'),
        })),
      ...(offset === undefined ? {} : { offset }),
    },
  };
}

/** Returns the form of one record, without the number of its comments. */
export function recordForm(table: Table, row: Row): unknown {
  return {
    id: row.id,
    createdTime: new Date(row.createdAt).toISOString(),
    fields: fieldsForm(table, row, null, false),
  };
}

/** Returns the size of a page. Null for an invalid one. */
export function pageSize(query: Query): number | null {
  const size = Number(query.get('pageSize') ?? maxSize);
  return Number.isInteger(size) && size >= 1 && size <= maxSize ? size : null;
}

export function parameterProblem(name: string): FakeAnswer {
  return invalid(
    'INVALID_REQUEST_UNKNOWN',
    `Invalid request: parameter validation failed. Check your request data: ${name}`,
  );
}

/** Returns the ids of the records that a listing still has to show, or the refusal of the request. */
function remainingRows(
  world: AirtableWorld,
  { id }: Table,
  query: Query,
): { readonly rows: readonly string[] } | { readonly refusal: FakeAnswer } {
  const offset = query.get('offset');
  if (offset !== null) {
    const rows = world.iterators.get(offset);
    return rows === undefined ? { refusal: expired() } : { rows };
  }
  const text = query.get('filterByFormula');
  const formula = text === null ? () => true : parseFormula(text);
  if (formula === null)
    return {
      refusal: invalid(
        'INVALID_FILTER_BY_FORMULA',
        `The formula for filtering records is invalid: ${text}`,
      ),
    };
  const maxRecords = Number(query.get('maxRecords') ?? Infinity);
  const found = world.rowsOf(id).filter(formula);
  return { rows: found.slice(0, maxRecords).map((row) => row.id) };
}

function storeIterator(world: AirtableWorld, ids: readonly string[]): string {
  const offset = `${world.id('itr')}/${ids[0]}`;
  world.iterators.set(offset, ids);
  return offset;
}

/** Returns the names of the requested fields, null for all, or the name of an unknown one. */
function fieldNames(table: Table, query: Query): ReadonlySet<string> | string | null {
  const wanted = [...query.getAll('fields[]'), ...query.getAll('fields')];
  if (wanted.length === 0) return null;
  const names = new Set<string>();
  for (const each of wanted) {
    const field = table.fields.find(({ id, name }) => id === each || name === each);
    if (field === undefined) return each;
    names.add(field.name);
  }
  return names;
}

/** Leaves out empty cells, as the service does. */
function fieldsForm(
  { fields }: Table,
  { cells }: Row,
  names: ReadonlySet<string> | null,
  byId: boolean,
): Readonly<Record<string, unknown>> {
  const shown = fields.filter(({ name }) => names === null || names.has(name));
  return Object.fromEntries(
    shown.flatMap(({ id, name }) => {
      const cell = cells[name];
      const isEmpty = Array.isArray(cell) && cell.length === 0;
      return cell === undefined || cell === '' || cell === false || isEmpty
        ? []
        : [[byId ? id : name, cell]];
    }),
  );
}

function hasValue(query: Query, name: string, value: string): boolean {
  return [...query.getAll(name), ...query.getAll(`${name}[]`)].includes(value);
}
