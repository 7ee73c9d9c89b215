import type { JsonScalar } from '../schema.js';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A parsed filter. A condition is true or false, never unknown, so `not` is exact negation.
 *
 * A field is one name: `path`, `chunk_kind`, `media_type`, `modified_at` and `title` exist for every hit. Any other
 * name is one of its fields (`author`, `address.city`). `path` is the canonical URI of the object.
 *
 * An absent field is null. `=` holds for equal values of the same type, so `= null` tests for absence. `!=` is `not =`,
 * so it holds for an absent field and for one of another type. `<`, `<=`, `>`, `>=` hold between two numbers or two
 * strings (compared by UTF-16 code units), and are false for other types.
 *
 * A field with several values `=` each of them. The other comparisons and `like` are false for it. A field with an
 * empty list is absent.
 *
 * `modified_at` is a number of milliseconds since 1970. The parser converts ISO dates to it.
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
   * SQL's LIKE, case-sensitive. `%` matches any run, `_` any code point, `\` escapes the next character. False for
   * values that are not strings.
   */
  | { readonly op: 'like'; readonly field: string; readonly pattern: string }
  /** `and` of nothing is true, `or` of nothing is false. */
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter };
