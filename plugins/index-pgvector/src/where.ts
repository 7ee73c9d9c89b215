import type { Filter, JsonScalar } from '@trove/core';
import type { IndexScope } from '@trove/core/index';
import { encodeText } from '@trove/core/database';
import { storedJson } from './rows.js';
import { maxIndexedCharacters } from './tables.js';

/** The values of a statement; each is named by its place. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** The SQL that stands for a value. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** The rows of a scope as a condition on the table of chunks `c`, or undefined for no restriction. */
export function whereOf(scope: IndexScope, parameters: SqlParameters): string | undefined {
  const parts: string[] = [];
  if (scope.scope !== undefined) parts.push(`c.scope = ${text(scope.scope, parameters)}`);
  if (scope.sourcePrefix !== undefined) parts.push(below(scope.sourcePrefix, parameters));
  if (scope.kinds !== undefined) parts.push(`c.kind = any(${texts(scope.kinds, parameters)})`);
  if (scope.filter !== undefined) parts.push(new FilterCondition(parameters).of(scope.filter));
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** The rows that have a non-null value for one of the free fields. */
export function hasField(name: string, parameters: SqlParameters): string {
  const field = text(name, parameters);
  return `(c.fields ? ${field} and c.fields -> ${field} <> 'null')`;
}

function text(value: string, parameters: SqlParameters): string {
  return parameters.add(encodeText(value), 'text');
}

function texts(values: readonly string[], parameters: SqlParameters): string {
  return parameters.add(values.map(encodeText), 'text[]');
}

/** The object itself and everything below it: '0' comes right after '/'. The first part is served by an index. */
function below(source: string, parameters: SqlParameters): string {
  const self = text(source, parameters);
  const from = text(`${source}/`, parameters);
  const to = text(`${source}0`, parameters);
  const start = (value: string): string => `left(${value}, ${maxIndexedCharacters})`;
  const range = `${start('c.source')} >= ${start(self)} and ${start('c.source')} <= ${start(to)}`;
  return `(${range} and (c.source = ${self} or (c.source >= ${from} and c.source < ${to})))`;
}

/** Fields that have a column of their own. */
const stringColumns: ReadonlyMap<string, string> = new Map([
  ['path', 'c.source'],
  ['chunk_kind', 'c.kind'],
  ['media_type', 'c.media_type'],
  ['title', 'c.title'],
]);
const numberColumns: ReadonlyMap<string, string> = new Map([['modified_at', 'c.modified_at']]);

/** Filters as conditions that are true or false, never null, so that `not` is exact. */
class FilterCondition {
  readonly #parameters: SqlParameters;

  constructor(parameters: SqlParameters) {
    this.#parameters = parameters;
  }

  of(filter: Filter): string {
    switch (filter.op) {
      case 'and':
        return this.#joined(filter.filters, ' and ', 'true');
      case 'or':
        return this.#joined(filter.filters, ' or ', 'false');
      case 'not':
        return `(not ${this.of(filter.filter)})`;
      case 'in':
        return this.#isMember(filter.field, filter.values);
      case 'like':
        return this.#like(filter.field, filter.pattern);
      case 'compare':
        if (filter.comparison === '=') return this.#equals(filter.field, filter.value);
        if (filter.comparison === '!=') return `(not ${this.#equals(filter.field, filter.value)})`;
        return this.#ordered(filter.field, filter.comparison, filter.value);
    }
  }

  #joined(filters: readonly Filter[], separator: string, ofNone: string): string {
    if (filters.length === 0) return ofNone;
    return `(${filters.map((filter) => this.of(filter)).join(separator)})`;
  }

  #equals(field: string, value: JsonScalar): string {
    if (value === null) return this.#isAbsent(field);
    if (isColumn(field)) return this.#ordered(field, '=', value);
    if (typeof value === 'number' && !Number.isFinite(value)) return 'false';
    const given = [{ [field]: value }, { [field]: [value] }];
    const either = given.map(
      (each) => `c.fields @> ${this.#parameters.add(storedJson(each), 'jsonb')}`,
    );
    return `(${either.join(' or ')})`;
  }

  #isMember(field: string, values: readonly JsonScalar[]): string {
    const absent = values.includes(null) ? [this.#isAbsent(field)] : [];
    const present = isColumn(field) ? this.#isOneOf(field, values) : this.#isFree(field, values);
    return `(${[...absent, present].join(' or ')})`;
  }

  #isOneOf(field: string, values: readonly JsonScalar[]): string {
    const strings = stringColumns.get(field);
    if (strings !== undefined) {
      const wanted = values.filter((value) => typeof value === 'string');
      return holds(`${strings} = any(${texts(wanted, this.#parameters)})`);
    }
    const wanted = values.filter((value) => typeof value === 'number');
    const numbers = this.#parameters.add(wanted, 'double precision[]');
    return holds(`${numberColumns.get(field)} = any(${numbers})`);
  }

  #isFree(field: string, values: readonly JsonScalar[]): string {
    const wanted = values.filter((value) => value !== null && !isInfinite(value)).map(storedJson);
    const given = this.#parameters.add(wanted, 'jsonb[]');
    const value = this.#free(field);
    // A list holds what it contains; anything else is contained in itself alone.
    return holds(
      `case when jsonb_typeof(${value}) = 'array'
        then exists (select 1 from unnest(${given}) as w (value) where ${value} @> w.value)
        else ${value} = any(${given}) end`,
    );
  }

  #ordered(field: string, operator: string, value: JsonScalar): string {
    if (typeof value === 'string') {
      const operand = this.#stringOf(field);
      if (operand === null) return 'false';
      return holds(`${operand} ${operator} ${text(value, this.#parameters)}`);
    }
    if (typeof value !== 'number' || isInfinite(value)) return 'false';
    const operand = this.#numberOf(field);
    if (operand === null) return 'false';
    return holds(`${operand} ${operator} ${this.#parameters.add(value, 'double precision')}`);
  }

  #like(field: string, pattern: string): string {
    const operand = this.#stringOf(field);
    if (operand === null) return 'false';
    return holds(`${operand} like ${text(likePattern(pattern), this.#parameters)}`);
  }

  #isAbsent(field: string): string {
    const column = stringColumns.get(field) ?? numberColumns.get(field);
    return column === undefined
      ? `(not ${hasField(field, this.#parameters)})`
      : `(${column} is null)`;
  }

  /** The field's value where it is a string, else null; null here if it never is. */
  #stringOf(field: string): string | null {
    if (isColumn(field)) return stringColumns.get(field) ?? null;
    const value = this.#free(field);
    return `(case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' end collate "C")`;
  }

  /** The field's value where it is a number, else null; null here if it never is. */
  #numberOf(field: string): string | null {
    if (isColumn(field)) return numberColumns.get(field) ?? null;
    const value = this.#free(field);
    return `(case when jsonb_typeof(${value}) = 'number' then (${value})::double precision end)`;
  }

  #free(field: string): string {
    return `(c.fields -> ${text(field, this.#parameters)})`;
  }
}

function isColumn(field: string): boolean {
  return stringColumns.has(field) || numberColumns.has(field);
}

function isInfinite(value: JsonScalar): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** False where SQL would yield null. */
function holds(condition: string): string {
  return `coalesce(${condition}, false)`;
}

/** A backslash at the end means itself, which PostgreSQL refuses. */
function likePattern(pattern: string): string {
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return trailing % 2 === 0 ? pattern : `${pattern}\\`;
}
