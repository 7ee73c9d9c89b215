import type { FieldValue, JsonScalar } from '@trove/core';

export const facetTypes = ['string', 'number', 'boolean', 'list'] as const;

type FacetType = (typeof facetTypes)[number];

/**
 * Returns a free field and its value as a word of the `facets` column. Looking up a word takes a fraction of reading
 * JSON, so tests for equality and absence use words.
 */
export function facet(field: string, value: JsonScalar): string {
  return `${JSON.stringify(field)}=${JSON.stringify(value)}`;
}

/** Returns the word of the `facets` column for the type of a free field. */
export function typeFacet(field: string, type: FacetType): string {
  return `${JSON.stringify(field)}:${type}`;
}

export function facetsOf(fields: Readonly<Record<string, FieldValue>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === null ? [] : [typeFacet(field, typeOf(value)), ...facetsOfValue(field, value)],
  );
}

/** Returns the field names in a value of the `facets` column. */
export function fieldsIn(words: unknown): string[] {
  if (!isIterable(words)) return [];
  return Array.from(words, (word) => fieldOf(String(word))).filter((field) => field !== null);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Returns the field name in a type word, or null for a value word. */
function fieldOf(word: string): string | null {
  const type = facetTypes.find((each) => word.endsWith(`":${each}`));
  if (type === undefined) return null;
  try {
    const field: unknown = JSON.parse(word.slice(0, -type.length - 1));
    return typeof field === 'string' ? field : null;
  } catch {
    // A value with the same ending.
    return null;
  }
}

/** A list has the facets of all its values. */
function facetsOfValue(field: string, value: Exclude<FieldValue, null>): string[] {
  const values: readonly JsonScalar[] = typeof value === 'object' ? value : [value];
  return values.map((each) => facet(field, each));
}

function typeOf(value: Exclude<FieldValue, null>): FacetType {
  if (typeof value === 'object') return 'list';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}
