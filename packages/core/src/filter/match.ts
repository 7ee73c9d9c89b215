import type { JsonScalar } from '../schema.js';
import type { Comparison, Filter } from './ast.js';
import { matchesLike } from './like.js';

/** Whether a filter holds. `lookup` returns a field's value, undefined or null when it is absent. */
export function matchesFilter(
  filter: Filter,
  lookup: (field: string) => JsonScalar | undefined,
): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, lookup));
    case 'or':
      return filter.filters.some((part) => matchesFilter(part, lookup));
    case 'not':
      return !matchesFilter(filter.filter, lookup);
    case 'compare':
      return compares(lookup(filter.field) ?? null, filter.comparison, filter.value);
    case 'in':
      return filter.values.includes(lookup(filter.field) ?? null);
    case 'like': {
      const value = lookup(filter.field);
      return typeof value === 'string' && matchesLike(value, filter.pattern);
    }
  }
}

function compares(value: JsonScalar, comparison: Comparison, other: JsonScalar): boolean {
  switch (comparison) {
    case '=':
      return value === other;
    case '!=':
      return value !== other;
    case '<':
      return order(value, other) < 0;
    case '<=':
      return order(value, other) <= 0;
    case '>':
      return order(value, other) > 0;
    case '>=':
      return order(value, other) >= 0;
  }
}

/**
 * Negative, zero or positive for two numbers or two strings; NaN, for which every comparison is false, for anything
 * else.
 */
function order(a: JsonScalar, b: JsonScalar): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return NaN;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
