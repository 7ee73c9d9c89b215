import type { Form } from './forms.js';

const comparators: Readonly<Record<string, (value: unknown, given: unknown) => boolean>> = {
  eq: (value, given) => value === given,
  in: (value, given) => Array.isArray(given) && given.includes(value),
  gte: (value, given) => Date.parse(String(value)) >= Date.parse(String(given)),
  gt: (value, given) => Date.parse(String(value)) > Date.parse(String(given)),
  lt: (value, given) => Date.parse(String(value)) < Date.parse(String(given)),
};

/** Whether an item satisfies a filter of the service: all of its members, which may filter related items. */
export function matchesFilter(filter: unknown, item: unknown): boolean {
  return Object.entries(membersOf(filter)).every(([name, condition]) => {
    if (name === 'and') return listOf(condition).every((each) => matchesFilter(each, item));
    if (name === 'or') return listOf(condition).some((each) => matchesFilter(each, item));
    if (name === 'null') return (item === null) === condition;
    const compare = comparators[name];
    if (compare !== undefined) return compare(item, condition);
    return item !== null && matchesFilter(condition, memberOf(item, name));
  });
}

function memberOf(item: unknown, name: string): unknown {
  const member = membersOf(item)[name];
  const value: unknown = typeof member === 'function' ? member() : member;
  return value ?? null;
}

function membersOf(value: unknown): Form {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
