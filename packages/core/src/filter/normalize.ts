import { TroveError } from '../errors.js';
import type { JsonScalar } from '../schema.js';
import type { Filter } from './ast.js';

/** What an index takes, and evaluates in a fraction of a second on tens of thousands of rows. */
const MAX_CONDITIONS = 16;
/** Of them those that look at the values of each row: `like`, what is less or more, and lists. */
const MAX_COMPARISONS = 4;
const SHORT_LIST = 4;
/** `and` within `or` within `and` … */
const MAX_ALTERNATIONS = 8;

/** Exactly the opposite, with `not` in front of single conditions only. */
export function negated(filter: Filter): Filter {
  switch (filter.op) {
    case 'not':
      return filter.filter;
    case 'and':
      return joined('or', filter.filters.map(negated));
    case 'or':
      return joined('and', filter.filters.map(negated));
    case 'compare':
      if (filter.comparison === '=') return { ...filter, comparison: '!=' };
      if (filter.comparison === '!=') return { ...filter, comparison: '=' };
      return { op: 'not', filter };
    default:
      return { op: 'not', filter };
  }
}

/** Conditions that must all hold, or one of them: one level of what is nested, one membership test for each field. */
export function joined(op: 'and' | 'or', filters: readonly Filter[]): Filter {
  const parts = mergedTests(
    op,
    filters.flatMap((part) => (part.op === op ? part.filters : [part])),
  );
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { op, filters: parts };
}

/** `a = 1 or a in (2, 3)` as `a in (1, 2, 3)`; `a != 1 and a != 2` as `not a in (1, 2)`. */
function mergedTests(op: 'and' | 'or', filters: readonly Filter[]): Filter[] {
  const tests = new Map<string, Set<JsonScalar>>();
  const merged: (Filter | string)[] = [];
  for (const filter of filters) {
    const test = membership(op === 'or' ? filter : negated(filter));
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
    const test = memberOf(part, [...(tests.get(part) ?? [])]);
    return op === 'or' ? test : negated(test);
  });
}

/** A filter that says that a field has one of some values; null for any other. */
function membership(filter: Filter): { field: string; values: readonly JsonScalar[] } | null {
  if (filter.op === 'in') return filter;
  if (filter.op !== 'compare' || filter.comparison !== '=') return null;
  return { field: filter.field, values: [filter.value] };
}

/** That a field has one of these values. */
export function memberOf(field: string, values: readonly JsonScalar[]): Filter {
  const distinct = [...new Set(values)];
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined
    ? { op: 'compare', field, comparison: '=', value: only }
    : { op: 'in', field, values: distinct };
}

/** Throws `validation_error` for a filter that is more than an index takes. */
export function checkSize(filter: Filter): Filter {
  const { conditions, comparisons, alternations } = sizeOf(filter);
  if (conditions > MAX_CONDITIONS) {
    throw tooLarge(
      `has more than ${MAX_CONDITIONS} conditions`,
      'Write `in (…)` instead of many comparisons with one field.',
    );
  }
  if (comparisons > MAX_COMPARISONS) {
    throw tooLarge(
      `has more than ${MAX_COMPARISONS} conditions with \`like\`, \`<\`, \`>\` or \`in\` with more than ${SHORT_LIST} values`,
      'Ask in several searches.',
    );
  }
  if (alternations > MAX_ALTERNATIONS) {
    throw tooLarge(
      `changes between \`and\` and \`or\` more than ${MAX_ALTERNATIONS} levels deep`,
      'Leave parentheses out.',
    );
  }
  return filter;
}

function tooLarge(problem: string, suggestion: string): TroveError {
  return new TroveError('validation_error', `filter: ${problem}`, { suggestions: [suggestion] });
}

/** Whether a condition only asks for few values, which an index looks up. */
function isLookup(filter: Filter): boolean {
  if (filter.op === 'in') return filter.values.length <= SHORT_LIST;
  return filter.op === 'compare' && /^!?=$/.test(filter.comparison);
}

interface Size {
  readonly conditions: number;
  readonly comparisons: number;
  readonly alternations: number;
}

function sizeOf(filter: Filter): Size {
  if (filter.op === 'not') return sizeOf(filter.filter);
  if (filter.op !== 'and' && filter.op !== 'or') {
    return { conditions: 1, comparisons: isLookup(filter) ? 0 : 1, alternations: 0 };
  }
  const sizes = filter.filters.map(sizeOf);
  const sum = (of: (size: Size) => number): number =>
    sizes.reduce((all, size) => all + of(size), 0);
  return {
    conditions: sum(({ conditions }) => conditions),
    comparisons: sum(({ comparisons }) => comparisons),
    alternations: 1 + Math.max(0, ...sizes.map(({ alternations }) => alternations)),
  };
}

/** The names of the fields that a filter asks for, each once. */
export function fieldsOf(filter: Filter): string[] {
  const names = (part: Filter): string[] => {
    if ('field' in part) return [part.field];
    return part.op === 'not' ? names(part.filter) : part.filters.flatMap(names);
  };
  return [...new Set(names(filter))];
}
