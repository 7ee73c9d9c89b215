import type { CallOptions } from './configuration.js';
import { ExportScanner } from './export-scanner.js';
import { connectionLost, invalidResponse } from './failures.js';
import type { HttpClient } from './http.js';

/** The text of an object, received in pieces. */
export interface ExportedText extends AsyncIterable<string> {
  /** True if the source returned only a part. Known after the last piece. */
  readonly partial: boolean;
}

/**
 * Returns the response of `export` in pieces, for objects too large for one string. Iterating throws a TroveApiError,
 * also if the response breaks off. The text received before is then incomplete.
 */
export function exportText(
  http: HttpClient,
  parameters: { readonly path: string },
  options?: CallOptions,
): ExportedText {
  const scanner = new ExportScanner();
  return {
    get partial() {
      return scanner.partial;
    },
    async *[Symbol.asyncIterator]() {
      const request = { method: 'GET', path: '/v1/export', query: { path: parameters.path } };
      for await (const piece of http.stream(request, options)) {
        const content = scan(scanner, piece);
        if (content !== '') yield content;
      }
      if (!scanner.done) throw connectionLost(200, new Error('the text is incomplete'));
    },
  };
}

function scan(scanner: ExportScanner, piece: string): string {
  try {
    return scanner.push(piece);
  } catch (cause) {
    throw invalidResponse(200, 'the answer is not an export', cause);
  }
}
