import type { Filter, JsonScalar } from '@trove/core';
import type { IndexScope } from '@trove/core/index';
import { encodeText } from '@trove/core/database';
import { storedJson } from './rows.js';
import { maxIndexedCharacters } from './tables.js';

/** Collects the values of a statement. The index of a value is its name. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/** Returns a condition on the chunk table `c` for the rows of a scope, or undefined without restriction. */
export function whereOf(scope: IndexScope, parameters: SqlParameters): string | undefined {
  const parts: string[] = [];
  if (scope.scope !== undefined) parts.push(`c.scope = ${text(scope.scope, parameters)}`);
  if (scope.sourcePrefix !== undefined) parts.push(below(scope.sourcePrefix, parameters));
  if (scope.within !== undefined) parts.push(belowAny(scope.within, parameters));
  if (scope.kinds !== undefined) parts.push(`c.kind = any(${texts(scope.kinds, parameters)})`);
  if (scope.filter !== undefined) parts.push(new FilterCondition(parameters).of(scope.filter));
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Returns a condition for rows with a non-null value in a free field. */
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

/** Matches the object itself and everything below it ('0' follows '/'). An index serves the first part. */
function below(source: string, parameters: SqlParameters): string {
  const self = text(source, parameters);
  const from = text(`${source}/`, parameters);
  const to = text(`${source}0`, parameters);
  const start = (value: string): string => `left(${value}, ${maxIndexedCharacters})`;
  const range = `${start('c.source')} >= ${start(self)} and ${start('c.source')} <= ${start(to)}`;
  return `(${range} and (c.source = ${self} or (c.source >= ${from} and c.source < ${to})))`;
}

function belowAny(sources: readonly string[], parameters: SqlParameters): string {
  if (sources.length === 0) return 'false';
  return `(${sources.map((source) => below(source, parameters)).join(' or ')})`;
}

/** Fields with a column of their own. */
const stringColumns: ReadonlyMap<string, string> = new Map([
  ['path', 'c.source'],
  ['chunk_kind', 'c.kind'],
  ['media_type', 'c.media_type'],
  ['title', 'c.title'],
]);
const numberColumns: ReadonlyMap<string, string> = new Map([['modified_at', 'c.modified_at']]);

/** Translates filters into conditions that are true or false but never null, so that `not` is exact. */
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
    // A list contains its items. Any other value contains only itself.
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

  /** Returns the field's value if it is a string, else SQL null. Returns null if the field never is a string. */
  #stringOf(field: string): string | null {
    if (isColumn(field)) return stringColumns.get(field) ?? null;
    const value = this.#free(field);
    return `(case when jsonb_typeof(${value}) = 'string' then ${value} #>> '{}' end collate "C")`;
  }

  /** Returns the field's value if it is a number, else SQL null. Returns null if the field never is a number. */
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

/** False where SQL yields null. */
function holds(condition: string): string {
  return `coalesce(${condition}, false)`;
}

/** PostgreSQL rejects a trailing backslash. Here it stands for itself. */
function likePattern(pattern: string): string {
  const trailing = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return trailing % 2 === 0 ? pattern : `${pattern}\\`;
}
