import type { JsonScalar } from '../schema.js';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A parsed filter. A field is a dotted path (`author`, `path`, `metadata.year`). A comparison with a field that is
 * absent or of another type is false, `!=` and `not` included by negation; `= null` tests for absence.
 */
export type Filter =
  | { readonly op: 'compare'; readonly field: string; readonly comparison: Comparison; readonly value: JsonScalar }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly JsonScalar[] }
  /** SQL's LIKE: `%` any run, `_` any one character, `\` escapes; case counts. */
  | { readonly op: 'like'; readonly field: string; readonly pattern: string }
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter };
