import type { Filter, JsonScalar } from '@trove/core';
import type { IndexScope } from '@trove/core/index';
import { facet, facetTypes, typeFacet } from './facets.js';

/** Returns a string as an SQL literal with doubled quotes. Backslashes have no special meaning. */
export function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Returns `column IN (…)`, or a false condition for an empty list. */
export function isOneOf(column: string, values: readonly string[]): string {
  return values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(', ')})`;
}

/**
 * Returns an SQL condition for the rows of a scope, or undefined without restriction. `folders`: those URIs of `within` that
 * may have rows below them. Default: all.
 */
export function whereOf(
  scope: IndexScope,
  folders: readonly string[] | undefined = scope.within,
): string | undefined {
  const parts: string[] = [];
  if (scope.scope !== undefined) parts.push(`scope = ${quote(scope.scope)}`);
  if (scope.sourcePrefix !== undefined) parts.push(below(scope.sourcePrefix));
  if (scope.within !== undefined) parts.push(withinAny(scope.within, folders ?? scope.within));
  if (scope.kinds !== undefined) parts.push(isOneOf('kind', scope.kinds));
  if (scope.filter !== undefined) parts.push(conditionOf(scope.filter));
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** Returns a condition for rows of a scope that do not belong to a load in progress. */
export function exceptLoading(where: string | undefined, loading: readonly string[]): string {
  const isFinished = `(NOT ${isOneOf('load', loading)})`;
  return where === undefined ? isFinished : `${where} AND ${isFinished}`;
}

/** Matches the object and everything below it. */
function below(source: string): string {
  return `(source = ${quote(source)} OR ${rowsBelow(source)})`;
}

/** Matches everything below an object, as a range that the index on `source` serves ('0' follows '/'). */
function rowsBelow(source: string): string {
  return `(source >= ${quote(`${source}/`)} AND source < ${quote(`${source}0`)})`;
}

/** Matches everything below any of the URIs. */
export function belowAny(uris: readonly string[]): string {
  return anyOf(uris.map(rowsBelow));
}

/** The index evaluates a list in a fraction of the time of a condition for each URI. */
function withinAny(uris: readonly string[], folders: readonly string[]): string {
  const objects = isOneOf('source', uris);
  return folders.length === 0 ? objects : `(${objects} OR ${belowAny(folders)})`;
}

/** Returns a filter as an SQL condition that is true or false, never NULL, so that `NOT` is exact. */
function conditionOf(filter: Filter): string {
  switch (filter.op) {
    case 'and':
      return joined(filter.filters, ' AND ', 'true');
    case 'or':
      return joined(filter.filters, ' OR ', 'false');
    case 'not':
      return `(NOT ${conditionOf(filter.filter)})`;
    case 'in':
      return isMember(filter.field, filter.values);
    case 'like':
      return holds(stringOf(filter.field), `LIKE ${quote(likePattern(filter.pattern))}`);
    case 'compare':
      if (filter.comparison === '=') return equals(filter.field, filter.value);
      if (filter.comparison === '!=') return `(NOT ${equals(filter.field, filter.value)})`;
      return ordered(filter.field, filter.comparison, filter.value);
  }
}

function joined(filters: readonly Filter[], separator: string, ofNone: string): string {
  return filters.length === 0 ? ofNone : `(${filters.map(conditionOf).join(separator)})`;
}

/** Up to this many values are looked up one by one, which is faster than reading JSON. */
const fewValues = 4;

/** Matches one of a few values, or uses one test per type for more values. */
function isMember(field: string, values: readonly JsonScalar[]): string {
  if (values.length <= fewValues) return anyOf(values.map((value) => equals(field, value)));
  const strings = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number').filter(Number.isFinite);
  const others = values.filter((value) => value === null || typeof value === 'boolean');
  return anyOf([
    ...(strings.length === 0
      ? []
      : [holds(stringOf(field), `IN (${strings.map(quote).join(', ')})`)]),
    ...(numbers.length === 0
      ? []
      : [holds(numberOf(field), `IN (${numbers.map(numberLiteral).join(', ')})`)]),
    ...others.map((value) => equals(field, value)),
    ...(isColumn(field) ? [] : [inList(field, values)]),
  ]);
}

/** Returns the condition for lists by facets. A list has a facet for each value and cannot be an SQL operand. */
function inList(field: string, values: readonly JsonScalar[]): string {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return 'false';
  const words = present.map((value) => quote(facet(field, value))).join(', ');
  return `(${has(typeFacet(field, 'list'))} AND coalesce(array_has_any(facets, [${words}]), false))`;
}

/** With an exponent, so that it is parsed as a double of any size. */
function numberLiteral(value: number): string {
  return value.toExponential();
}

/** More conditions are nested, because the store refuses 500 in a row. */
const maxConditions = 32;

function anyOf(conditions: readonly string[]): string {
  if (conditions.length === 0) return 'false';
  if (conditions.length <= maxConditions) return `(${conditions.join(' OR ')})`;
  const middle = conditions.length >> 1;
  return `(${anyOf(conditions.slice(0, middle))} OR ${anyOf(conditions.slice(middle))})`;
}

function equals(field: string, value: JsonScalar): string {
  if (value === null) return isAbsent(field);
  if (isColumn(field)) return ordered(field, '=', value);
  return typeof value === 'number' && !Number.isFinite(value) ? 'false' : has(facet(field, value));
}

function ordered(field: string, operator: string, value: JsonScalar): string {
  if (typeof value === 'string') return holds(stringOf(field), `${operator} ${quote(value)}`);
  if (typeof value === 'number' && Number.isFinite(value)) {
    return holds(numberOf(field), `${operator} ${numberLiteral(value)}`);
  }
  return 'false';
}

/** A value to compare, and the condition that it has the right type. */
interface Operand {
  readonly value: string;
  readonly guard: string | null;
}

/** The comparison, or false where SQL would yield NULL. */
function holds(operand: Operand | undefined, comparison: string): string {
  if (operand === undefined) return 'false';
  const { value, guard } = operand;
  const condition = `${value} ${comparison}`;
  // Checking the type in a CASE would copy the JSON of all matches, which takes several times as long.
  return `coalesce(${guard === null ? condition : `${guard} AND ${condition}`}, false)`;
}

function has(word: string): string {
  return `coalesce(array_has(facets, ${quote(word)}), false)`;
}

/** Fields with a column of their own. */
const stringColumns = new Map([
  ['path', 'source'],
  ['chunk_kind', 'kind'],
  ['media_type', 'media_type'],
  ['title', 'title'],
]);
const numberColumns = new Map([['modified_at', 'modified_at']]);

function isColumn(field: string): boolean {
  return stringColumns.has(field) || numberColumns.has(field);
}

function isAbsent(field: string): string {
  const column = stringColumns.get(field) ?? numberColumns.get(field);
  return column === undefined ? `(NOT ${hasField(field)})` : `(${column} IS NULL)`;
}

/** Returns a condition for rows with a non-null value in a free field. */
export function hasField(field: string): string {
  return anyOf(facetTypes.map((type) => has(typeFacet(field, type))));
}

/** Returns the field's value if it is a string, or undefined if it never is. */
function stringOf(field: string): Operand | undefined {
  const column = stringColumns.get(field);
  if (column !== undefined) return { value: column, guard: null };
  if (isColumn(field)) return undefined;
  return { value: jsonOf(field), guard: has(typeFacet(field, 'string')) };
}

/** Returns the field's value if it is a number, or undefined if it never is. */
function numberOf(field: string): Operand | undefined {
  const column = numberColumns.get(field);
  if (column !== undefined) return { value: column, guard: null };
  if (isColumn(field)) return undefined;
  return {
    value: `try_cast(${jsonOf(field)} AS double)`,
    guard: has(typeFacet(field, 'number')),
  };
}

/** Returns the value of a free field as a string of any type, or NULL if absent. */
function jsonOf(field: string): string {
  return `json_get_string(fields, ${quote(field)})`;
}

/** Translates escapes that the store does not support: `\x` means x, and a trailing backslash means itself. */
function likePattern(pattern: string): string {
  return pattern.replace(/\\([\s\S]?)/gu, (_, escaped: string) => {
    if (escaped === '') return '\\\\';
    return '\\%_'.includes(escaped) ? `\\${escaped}` : escaped;
  });
}
