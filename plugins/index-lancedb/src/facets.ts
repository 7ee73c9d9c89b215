import type { JsonScalar } from '@trove/core';

export const facetTypes = ['string', 'number', 'boolean'] as const;

type FacetType = (typeof facetTypes)[number];

/**
 * A free field with its value as a word of the `facets` column. Looking for a word takes a fraction of the time that
 * reading JSON takes, so that equality and absence need no JSON.
 */
export function facet(field: string, value: JsonScalar): string {
  return `${JSON.stringify(field)}=${JSON.stringify(value)}`;
}

/** That a free field is there with a value of this type, as a word of the `facets` column. */
export function typeFacet(field: string, type: FacetType): string {
  return `${JSON.stringify(field)}:${type}`;
}

export function facetsOf(fields: Readonly<Record<string, JsonScalar>>): string[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === null ? [] : [typeFacet(field, typeOf(value)), facet(field, value)],
  );
}

/** The name of the field that a word of the `facets` column tells the type of; null for any other word. */
export function fieldOfTypeFacet(word: string): string | null {
  const type = facetTypes.find((each) => word.endsWith(`":${each}`));
  if (type === undefined) return null;
  try {
    const field: unknown = JSON.parse(word.slice(0, -type.length - 1));
    return typeof field === 'string' ? field : null;
  } catch {
    // Text within a value may end like that, too.
    return null;
  }
}

function typeOf(value: Exclude<JsonScalar, null>): FacetType {
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'boolean';
}
