import { TroveError } from '../errors.js';
import type { JsonScalar } from '../schema.js';
import type { Filter } from './ast.js';

/** An index evaluates this many in a fraction of a second over tens of thousands of rows. */
const maxConditions = 16;
/** Conditions that scan the values of every row: `like`, order comparisons and long lists. */
const maxComparisons = 4;
const maxLookupValues = 4;
/** Nested alternations of `and` and `or`. */
const maxAlternations = 8;

/** Returns the exact negation, with `not` only in front of single conditions. */
export function negate(filter: Filter): Filter {
  switch (filter.op) {
    case 'not':
      return filter.filter;
    case 'and':
      return joinFilters('or', filter.filters.map(negate));
    case 'or':
      return joinFilters('and', filter.filters.map(negate));
    case 'compare':
      if (filter.comparison === '=') return { ...filter, comparison: '!=' };
      if (filter.comparison === '!=') return { ...filter, comparison: '=' };
      return { op: 'not', filter };
    default:
      return { op: 'not', filter };
  }
}

/**
 * Joins conditions by `and` or `or`: flattens nesting by one level and merges each field's equality tests into one
 * membership test.
 */
export function joinFilters(op: 'and' | 'or', filters: readonly Filter[]): Filter {
  const parts = mergeEqualityTests(
    op,
    filters.flatMap((part) => (part.op === op ? part.filters : [part])),
  );
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { op, filters: parts };
}

/** Converts `a = 1 or a in (2, 3)` to `a in (1, 2, 3)`, and `a != 1 and a != 2` to `not a in (1, 2)`. */
function mergeEqualityTests(op: 'and' | 'or', filters: readonly Filter[]): Filter[] {
  const tests = new Map<string, Set<JsonScalar>>();
  const merged: (Filter | string)[] = [];
  for (const filter of filters) {
    const test = toMembershipTest(op === 'or' ? filter : negate(filter));
    if (test === null) {
      merged.push(filter);
      continue;
    }
    const values = tests.get(test.field);
    if (values === undefined) {
      tests.set(test.field, new Set(test.values));
      merged.push(test.field);
    } else for (const value of test.values) values.add(value);
  }
  return merged.map((part) => {
    if (typeof part !== 'string') return part;
    const test = buildMembershipTest(part, [...(tests.get(part) ?? [])]);
    return op === 'or' ? test : negate(test);
  });
}

/** Returns the equivalent membership test, or null if there is none. */
function toMembershipTest(filter: Filter): { field: string; values: readonly JsonScalar[] } | null {
  if (filter.op === 'in') return filter;
  if (filter.op !== 'compare' || filter.comparison !== '=') return null;
  return { field: filter.field, values: [filter.value] };
}

/** Builds a test that a field has one of these values. */
export function buildMembershipTest(field: string, values: readonly JsonScalar[]): Filter {
  const distinct = [...new Set(values)];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined
    ? { op: 'compare', field, comparison: '=', value: only }
    : { op: 'in', field, values: distinct };
}

/** Throws `validation_error` for a filter that is too large for an index. */
export function checkSize(filter: Filter): Filter {
  const { conditions, comparisons, alternations } = sizeOf(filter);
  if (conditions > maxConditions) {
    throw tooLarge(
      `has more than ${maxConditions} conditions`,
      'Use `in (…)` instead of many comparisons with one field.',
    );
  }
  if (comparisons > maxComparisons) {
    throw tooLarge(
      `has more than ${maxComparisons} conditions with \`like\`, \`<\`, \`>\` or \`in\` with more than ${maxLookupValues} values`,
      'Split the filter into several searches.',
    );
  }
  if (alternations > maxAlternations) {
    throw tooLarge(
      `changes between \`and\` and \`or\` more than ${maxAlternations} levels deep`,
      'Remove parentheses.',
    );
  }
  return filter;
}

function tooLarge(problem: string, suggestion: string): TroveError {
  return new TroveError('validation_error', `filter: ${problem}`, { suggestions: [suggestion] });
}

/** Whether an index can look up the few values of a condition. */
function isLookup(filter: Filter): boolean {
  if (filter.op === 'in') return filter.values.length <= maxLookupValues;
  return filter.op === 'compare' && /^!?=$/.test(filter.comparison);
}

interface FilterSize {
  readonly conditions: number;
  readonly comparisons: number;
  readonly alternations: number;
}

function sizeOf(filter: Filter): FilterSize {
  if (filter.op === 'not') return sizeOf(filter.filter);
  if (filter.op !== 'and' && filter.op !== 'or') {
    return { conditions: 1, comparisons: isLookup(filter) ? 0 : 1, alternations: 0 };
  }
  const sizes = filter.filters.map(sizeOf);
  const sum = (of: (size: FilterSize) => number): number =>
    sizes.reduce((all, size) => all + of(size), 0);
  return {
    conditions: sum(({ conditions }) => conditions),
    comparisons: sum(({ comparisons }) => comparisons),
    alternations: 1 + Math.max(0, ...sizes.map(({ alternations }) => alternations)),
  };
}

/** Returns the distinct field names of a filter. */
export function fieldsOf(filter: Filter): string[] {
  const names = (part: Filter): string[] => {
    if ('field' in part) return [part.field];
    return part.op === 'not' ? names(part.filter) : part.filters.flatMap(names);
  };
  return [...new Set(names(filter))];
}
