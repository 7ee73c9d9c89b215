import type { GrepMatch, GrepParameters } from '@trove/client';

import { displayText } from '../paths/display.js';
import type { Cli } from '../session/cli.js';

/** A small first page shows results early. Later pages use the maximum of the API. */
const firstPageSize = 1000;
const pageSize = 10_000;

/** Yields up to `limit` matches in all paths, page by page. Prints each distinct notice once on stderr. */
export async function* findMatches(
  cli: Cli,
  paths: readonly (string | undefined)[],
  query: GrepParameters,
  limit: number,
): AsyncGenerator<GrepMatch, void, undefined> {
  const seen = new Set<string>();
  const isNew = (text: string): boolean => !seen.has(text) && seen.add(text).size > 0;
  let left = limit;
  for (const path of paths) {
    let cursor: string | undefined;
    let size = firstPageSize;
    do {
      const page = { ...query, path, cursor, limit: Math.min(size, left) };
      const { results, next } = await cli.client.retrieval.grep(page);
      for (const match of results) {
        if (match.via !== 'notice') {
          left--;
          yield match;
        } else if (isNew(match.content)) {
          await cli.err.line(`note: ${cli.err.safe(displayText(match.content, cli))}`);
        }
      }
      if (left <= 0) {
        if (next !== null) await cli.err.line('note: there are more matches; raise --limit');
        return;
      }
      cursor = next ?? undefined;
      size = pageSize;
    } while (cursor !== undefined);
  }
}
