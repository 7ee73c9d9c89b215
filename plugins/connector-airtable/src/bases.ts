import { TroveError } from '@trove/core';
import type { Scope } from '@trove/connector-kit/http';

import { textAt } from './json.js';

/** The authority of a source with all bases that the token may read. */
export const allBases = 'all';

interface AirtableBase {
  readonly id: string;
  readonly name: string;
}

export interface AirtableField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly options?: {
    readonly linkedTableId?: string;
    /** The field that a lookup shows. */
    readonly result?: Omit<AirtableField, 'id' | 'name'> | null;
  };
}

export interface AirtableTable {
  readonly id: string;
  readonly name: string;
  readonly primaryFieldId: string;
  readonly fields: readonly AirtableField[];
}

/** A table, and the folder of its base. */
interface TableItem extends Pick<AirtableTable, 'id' | 'name' | 'primaryFieldId'> {
  /** '' in a source with one base, whose tables are at the top. */
  readonly folder: string;
}

interface BasesAnswer {
  readonly bases?: readonly AirtableBase[];
}

interface TablesAnswer {
  readonly tables?: readonly AirtableTable[];
}

/** Returns the tables of a base that belong to the source. Undefined for an answer without the list. */
export function tableItems(
  { tables }: TablesAnswer,
  { target, item }: Pick<Scope, 'target' | 'item'>,
): readonly TableItem[] | undefined {
  const folder =
    target.authority === allBases ? `${textAt(item, 'name').replaceAll('/', '∕')}/` : '';
  return tables
    ?.filter(({ id }) => target.path === '' || target.path === id)
    .map(({ id, name, primaryFieldId }) => ({ id, name, primaryFieldId, folder }));
}

export function isOfSource({ id }: AirtableBase, { target }: Pick<Scope, 'target'>): boolean {
  return target.authority === allBases || target.authority === id;
}

/** Returns the path of the request that proves the login and the access. */
export function checkPath({ target }: Pick<Scope, 'target'>): string {
  const base = encodeURIComponent(target.authority);
  return target.authority === allBases ? '/v0/meta/bases' : `/v0/meta/bases/${base}/tables`;
}

/** Names what the token may read. Throws if the table of the source does not exist. */
export function describeAccess(
  { bases, tables = [] }: BasesAnswer & TablesAnswer,
  { target }: Pick<Scope, 'target'>,
): string {
  if (bases !== undefined)
    return bases.length === 0
      ? 'The token may read no base. Add bases under "Access" at https://airtable.com/create/tokens.'
      : `The token may read ${list('base', bases)}.`;
  if (target.path === '' || tables.some(({ id }) => id === target.path))
    return `The token may read the base with ${list('table', tables)}.`;
  throw new TroveError('connector_unhealthy', `The base has no table ${target.path}`, {
    suggestions: [`Its tables are ${tables.map(({ id, name }) => `${id} (${name})`).join(', ')}.`],
  });
}

function list(kind: string, items: readonly { readonly name: string }[]): string {
  const shown = items.slice(0, 5).map(({ name }) => name);
  const more = items.length > shown.length ? ' and more' : '';
  return `${items.length} ${kind}${items.length === 1 ? '' : 's'}: ${shown.join(', ')}${more}`;
}
