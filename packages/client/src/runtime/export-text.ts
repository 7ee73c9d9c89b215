import type { CallOptions } from './configuration.js';
import { ExportScanner } from './export-scanner.js';
import { connectionLost, invalidResponse } from './failures.js';
import type { HttpClient } from './http.js';

/** An object's text, being received. */
export interface ExportedText extends AsyncIterable<string> {
  /** Whether the source returned only a part; known once the text has been read to its end. */
  readonly partial: boolean;
}

/**
 * The response of `export` in pieces as they arrive, for objects too large for one string. Iterating throws
 * TroveApiError, also for a response that breaks off; the text received so far is then incomplete.
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
      if (!scanner.done) throw connectionLost(200, new Error('the text has no end'));
    },
  };
}

function scan(scanner: ExportScanner, piece: string): string {
  try {
    return scanner.push(piece);
  } catch (cause) {
    throw invalidResponse(200, 'the answer is not the JSON of an export', cause);
  }
}
