import type { FieldValue, JsonScalar } from '../schema.js';
import type { Filter } from './ast.js';
import { matchesLike } from './like.js';

/** Whether a filter holds. `lookup` returns a field's value, or undefined or null if it is absent. */
export function matchesFilter(
  filter: Filter,
  lookup: (field: string) => FieldValue | undefined,
): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, lookup));
    case 'or':
      return filter.filters.some((part) => matchesFilter(part, lookup));
    case 'not':
      return !matchesFilter(filter.filter, lookup);
    case 'compare':
      return matchesComparison(lookup(filter.field) ?? null, filter);
    case 'in':
      return filter.values.some((value) => equals(lookup(filter.field) ?? null, value));
    case 'like': {
      const value = lookup(filter.field);
      return typeof value === 'string' && matchesLike(value, filter.pattern);
    }
  }
}

function equals(value: FieldValue, other: JsonScalar): boolean {
  if (!isList(value)) return value === other;
  return value.length === 0 ? other === null : value.some((each) => each === other);
}

function isList(value: FieldValue): value is Extract<FieldValue, readonly unknown[]> {
  return Array.isArray(value);
}

function matchesComparison(
  value: FieldValue,
  { comparison, value: other }: Extract<Filter, { op: 'compare' }>,
): boolean {
  switch (comparison) {
    case '=':
      return equals(value, other);
    case '!=':
      return !equals(value, other);
    case '<':
      return compareOrder(value, other) < 0;
    case '<=':
      return compareOrder(value, other) <= 0;
    case '>':
      return compareOrder(value, other) > 0;
    case '>=':
      return compareOrder(value, other) >= 0;
  }
}

/** Compares two numbers or two strings. NaN for other types, so every comparison is false. */
function compareOrder(a: FieldValue, b: JsonScalar): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return NaN;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
