import type { Filter, IndexScope, JsonScalar } from '@trove/core';
import { facet } from './facets.js';

/** A string as an SQL literal: quotes doubled; a backslash has no meaning there. */
export function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** `column IN (…)`, or what never holds for an empty list. */
export function isOneOf(column: string, values: readonly string[]): string {
  return values.length === 0 ? 'false' : `${column} IN (${values.map(quote).join(', ')})`;
}

/** The rows of a scope as an SQL condition, or undefined when it is no restriction. */
export function whereOf(scope: IndexScope): string | undefined {
  const parts: string[] = [];
  if (scope.scope !== undefined) parts.push(`scope = ${quote(scope.scope)}`);
  if (scope.sourcePrefix !== undefined) parts.push(below(scope.sourcePrefix));
  if (scope.kinds !== undefined) parts.push(isOneOf('kind', scope.kinds));
  if (scope.filter !== undefined) parts.push(conditionOf(scope.filter));
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** The object itself and what is below it, as a range that the index on `source` serves: '0' comes next after '/'. */
function below(source: string): string {
  const from = quote(`${source}/`);
  const to = quote(`${source}0`);
  return `(source = ${quote(source)} OR (source >= ${from} AND source < ${to}))`;
}

/** A filter as an SQL condition that is true or false, never unknown, so that `NOT` is exact. */
function conditionOf(filter: Filter): string {
  switch (filter.op) {
    case 'and':
      return joined(filter.filters, ' AND ', 'true');
    case 'or':
      return joined(filter.filters, ' OR ', 'false');
    case 'not':
      return `(NOT ${conditionOf(filter.filter)})`;
    case 'in':
      return anyOf(filter.values.map((value) => equals(filter.field, value)));
    case 'like':
      return holds(
        filter.field,
        stringOf(filter.field),
        `LIKE ${quote(likePattern(filter.pattern))}`,
      );
    case 'compare':
      if (filter.comparison === '=') return equals(filter.field, filter.value);
      if (filter.comparison === '!=') return `(NOT ${equals(filter.field, filter.value)})`;
      return ordered(filter.field, filter.comparison, filter.value);
  }
}

function joined(filters: readonly Filter[], separator: string, ofNone: string): string {
  return filters.length === 0 ? ofNone : `(${filters.map(conditionOf).join(separator)})`;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;
}

function equals(field: string, value: JsonScalar): string {
  if (value === null) return isAbsent(field);
  if (isColumn(field)) return ordered(field, '=', value);
  return typeof value === 'number' && !Number.isFinite(value) ? 'false' : has(facet(field, value));
}

function ordered(field: string, operator: string, value: JsonScalar): string {
  if (typeof value === 'string')
    return holds(field, stringOf(field), `${operator} ${quote(value)}`);
  if (typeof value === 'number' && Number.isFinite(value)) {
    return holds(field, numberOf(field), `${operator} ${value}`);
  }
  return 'false';
}

/** The comparison, made false where SQL would not know; JSON is read only of rows that have the field. */
function holds(field: string, operand: string | undefined, comparison: string): string {
  if (operand === undefined) return 'false';
  const condition = `${operand} ${comparison}`;
  if (isColumn(field)) return `coalesce(${condition}, false)`;
  return `coalesce(CASE WHEN ${has(facet(field))} THEN ${condition} END, false)`;
}

function has(value: string): string {
  return `coalesce(array_has(facets, ${quote(value)}), false)`;
}

/** Fields that have a column of their own. */
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
  if (column !== undefined) return `(${column} IS NULL)`;
  return `(NOT ${has(facet(field))})`;
}

/** The field's value where it is a string, else NULL; undefined when it never is one. */
function stringOf(field: string): string | undefined {
  if (isColumn(field)) return stringColumns.get(field);
  const json = jsonOf(field);
  return `CASE WHEN starts_with(${json}, '"') THEN json_get_string(fields, ${quote(field)}) END`;
}

/** The field's value where it is a number, else NULL; undefined when it never is one. */
function numberOf(field: string): string | undefined {
  if (isColumn(field)) return numberColumns.get(field);
  return `try_cast(${jsonOf(field)} AS double)`;
}

/** The value of one of the free fields as JSON text, which tells its type; NULL when it is absent. */
function jsonOf(field: string): string {
  return `json_extract(json_get(fields, ${quote(field)}), '$')`;
}

/** Escapes that the store does not know, as what they mean: `\x` is x, and a lone one at the end is itself. */
function likePattern(pattern: string): string {
  return pattern.replace(/\\([\s\S]?)/gu, (_, escaped: string) => {
    if (escaped === '') return '\\\\';
    return '\\%_'.includes(escaped) ? `\\${escaped}` : escaped;
  });
}
