import type { Entry, GrepItem, GrepRequest, SourceRecord } from '@trove/core';
import { choosesPath } from '@trove/core/glob';

import type { Database } from './database.js';
import type { Objects } from './objects.js';

/** Finds a text in the values of rows, with a search in SQL, and in the lines of schemas, in the order of the listing. */
export async function* grep(
  database: Database,
  objects: Objects,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { path, globs, after, limitPerObject, signal } = request;
  const chooses = choosesPath(globs, path);
  let left = request.limit;
  let isPast = after === null;
  for (const entry of await database.run(signal, (reader) => objects.entries(reader))) {
    const isFirst = entry.path === after?.path;
    isPast ||= isFirst;
    if (!isPast || !isBelow(entry.path, path) || !chooses(entry.path)) continue;
    if (entry.skip !== undefined) {
      yield { notice: `${entry.path} was not searched: ${entry.skip}.` };
      continue;
    }
    const seen = isFirst ? after.matches : 0;
    let met = 0;
    for await (const item of matchesIn(database, objects, entry, request)) {
      if (met >= limitPerObject || left <= 0) break;
      if (met++ < seen) continue;
      yield item;
      left--;
    }
    if (left <= 0) return;
  }
}

function matchesIn(
  database: Database,
  objects: Objects,
  { path, kind }: Entry,
  { pattern, signal }: GrepRequest,
): AsyncGenerator<GrepItem> {
  return database.stream(signal, async function* (reader): AsyncGenerator<GrepItem> {
    if (kind === 'table_schema') {
      yield* linesWith(path, (await objects.schemaText(reader, path)) ?? '', pattern);
      return;
    }
    const relation = await objects.relationOfRows(reader, path);
    if (relation === null) return;
    const rows = await objects.rows(reader, relation);
    for await (const record of rows.matches(pattern)) yield matchOf(path, record);
  });
}

function matchOf(path: string, { key, fields }: SourceRecord): GrepItem {
  return { path, key, content: JSON.stringify(fields) };
}

function* linesWith(path: string, text: string, pattern: string): Generator<GrepItem> {
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
