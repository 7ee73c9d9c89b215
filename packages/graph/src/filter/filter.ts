import {
  fieldsOf,
  isTroveError,
  matchesFilter,
  parseFilter,
  TroveError,
  type Filter,
} from '@trove/core';
import { findNearest } from '@trove/runtime';
import { fieldOf, indexField } from './fields.js';

/** Parses a filter. Throws `filter_invalid`. */
export function filterOf(text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    if (!isTroveError(error) || error.code !== 'validation_error') throw error;
    const { detail, suggestions } = error;
    throw new TroveError('filter_invalid', detail, { suggestions, cause: error });
  }
}

/** Throws `filter_invalid` for a field that no document has, probably a typing error. */
export function assertKnownFields(filter: Filter, known: ReadonlySet<string>): void {
  const unknown = fieldsOf(filter).find((field) => !known.has(field));
  if (unknown === undefined) return;
  const near = findNearest(unknown, [...known]);
  throw new TroveError('filter_invalid', `filter: no document has the field \`${unknown}\``, {
    suggestions: near === null ? ['Use a field of the metadata.'] : [`Did you mean \`${near}\`?`],
  });
}

/** Converts a filter for the rows of the index. */
export function toIndexFilter(filter: Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map(toIndexFilter) };
    case 'not':
      return { ...filter, filter: toIndexFilter(filter.filter) };
    case 'compare':
    case 'in':
    case 'like':
      return { ...filter, field: indexField(filter.field) };
  }
}

export function matches(filter: Filter, metadata: Readonly<Record<string, unknown>>): boolean {
  return matchesFilter(filter, (field) => fieldOf(metadata, field));
}
