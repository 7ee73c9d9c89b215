import type { GrepItem, GrepRequest } from '@trove/core';
import { compilePathFilter } from '@trove/text/glob';

import { streamWithReader, withReader } from './with-reader.js';
import type { DatabaseSource, DatabaseReader, Table, TablePart } from './source.js';
import { partsOf, type DatabaseTree } from './tree.js';

/** Searches records with the database's own search, and schemas line by line, in the order of the listing. */
export async function* grepTables<T extends Table>(
  source: DatabaseSource<T>,
  tree: DatabaseTree<T>,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { path: scope, globs, after, limitPerObject, signal } = request;
  const isIncluded = compilePathFilter(globs, scope);
  const tables = await withReader(source, signal, (reader) => reader.tables());
  let remaining = request.limit;
  let isNoticeSent = source.searchNotice === undefined;
  let isReached = after === null;
  for (const table of tables) {
    for (const part of partsOf(table)) {
      const path = tree.pathOf(table, part);
      const isFirst = path === after?.path;
      isReached ||= isFirst;
      if (!isReached || !isBelow(path, scope) || !isIncluded(path)) continue;
      if (table.skip !== null) {
        yield { notice: `${path} was not searched: ${table.skip}.` };
        continue;
      }
      if (part === 'records') {
        if (!isNoticeSent) yield { notice: source.searchNotice ?? '' };
        isNoticeSent = true;
        const unsearched = await withReader(
          source,
          signal,
          async (reader) => (await reader.describeUnsearched?.(table)) ?? null,
        );
        if (unsearched !== null)
          yield { notice: `${path}: the search did not cover ${unsearched}.` };
      }
      const skipped = isFirst ? after.matches : 0;
      let count = 0;
      const items = streamWithReader(source, signal, (reader) =>
        streamMatches(reader, tree, table, part, request.pattern),
      );
      for await (const item of items) {
        if (count >= limitPerObject || remaining <= 0) break;
        if (count++ < skipped) continue;
        yield item;
        remaining--;
      }
      if (remaining <= 0) return;
    }
  }
}

async function* streamMatches<T extends Table>(
  reader: DatabaseReader<T>,
  tree: DatabaseTree<T>,
  table: T,
  part: TablePart,
  pattern: string,
): AsyncGenerator<GrepItem> {
  const path = tree.pathOf(table, part);
  if (part === 'schema') {
    yield* matchLines(path, (await tree.schemaText(reader, table)) ?? '', pattern);
    return;
  }
  for await (const { key, fields } of reader.matches(table, pattern))
    yield { path, key, content: JSON.stringify(fields) };
}

function* matchLines(path: string, text: string, pattern: string): Generator<GrepItem> {
  for (const [at, content] of text.trimEnd().split('\n').entries()) {
    const column = content.indexOf(pattern) + 1;
    if (column === 0) continue;
    const lines = [at + 1, at + 1] as const;
    yield { path, lines, content, match: { lines, column } };
  }
}

function isBelow(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`);
}
