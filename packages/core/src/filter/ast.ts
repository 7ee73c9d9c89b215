import type { JsonScalar } from '../schema.js';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A parsed filter. A condition is true or false, never unknown, so `not` is exact negation.
 *
 * A field is one name: `path`, `chunk_kind`, `media_type`, `modified_at`, `title` are what every hit has; any other is
 * one of its fields (`author`, `address.city`). `path` is the canonical URI of the object.
 *
 * A field that is absent is null. `=` holds for values of the same type that are equal, so `= null` tests for absence;
 * `!=` is `not =`, so it holds for an absent field and for one of another type. `<`, `<=`, `>`, `>=` hold between two
 * numbers or two strings (compared character by character), and are false for anything else.
 *
 * A field that holds several values `=` each of them; the other comparisons and `like` are false for it. Holding none is
 * being absent.
 *
 * `modified_at` is a number of milliseconds since 1970 here; the parser turns ISO dates into it.
 */
export type Filter =
  | {
      readonly op: 'compare';
      readonly field: string;
      readonly comparison: Comparison;
      readonly value: JsonScalar;
    }
  /** True when the field `=` one of the values. */
  | { readonly op: 'in'; readonly field: string; readonly values: readonly JsonScalar[] }
  /**
   * SQL's LIKE: `%` matches any run, `_` any single character (code point), `\` escapes the next; case-sensitive. False
   * for anything but a string.
   */
  | { readonly op: 'like'; readonly field: string; readonly pattern: string }
  /** `and` of nothing is true, `or` of nothing is false. */
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter };
