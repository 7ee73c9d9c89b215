import type { RequestDescription } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

/** Follows the links between the pages of one list. */
export class NextLinks {
  readonly #seen = new Set<string>();

  /** Returns the request of the page after an answer, or null after the last one. Throws for a list that would never end. */
  after(body: unknown): RequestDescription | null {
    const { '@odata.nextLink': link }: { readonly '@odata.nextLink'?: unknown } = Object(body);
    if (typeof link !== 'string') return null;
    if (this.#seen.has(link))
      throw new TroveError(
        'connector_unhealthy',
        'Microsoft Graph repeats a page of a list, which would never end',
        { retryable: true, suggestions: [] },
      );
    this.#seen.add(link);
    return { get: () => link };
  }
}
