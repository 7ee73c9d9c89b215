import type { GrepItem, GrepRequest } from '@trove/core';
import { choosesPath } from '@trove/text/glob';

import { streamWithReader, withReader } from './operations.js';
import type { DatabaseSource, Reader, Relation } from './source.js';
import type { Part, Tree } from './tree.js';

const parts: readonly Part[] = ['records', 'schema'];

/** Finds a text in the values of records, by the database's own search, and in the lines of schemas, in the order of the listing. */
export async function* grep<R extends Relation>(
  source: DatabaseSource<R>,
  tree: Tree<R>,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { path: scope, globs, after, limitPerObject, signal } = request;
  const chooses = choosesPath(globs, scope);
  const relations = await withReader(source, signal, (reader) => reader.relations());
  let left = request.limit;
  let isNoted = source.searchNote === undefined;
  let isPast = after === null;
  for (const relation of relations) {
    for (const part of relation.skip === null ? parts : (['records'] as const)) {
      const path = tree.pathOf(relation, part);
      const isFirst = path === after?.path;
      isPast ||= isFirst;
      if (!isPast || !isBelow(path, scope) || !chooses(path)) continue;
      if (relation.skip !== null) {
        yield { notice: `${path} was not searched: ${relation.skip}.` };
        continue;
      }
      if (part === 'records') {
        if (!isNoted) yield { notice: source.searchNote ?? '' };
        isNoted = true;
        const unsearched = await withReader(
          source,
          signal,
          async (reader) => (await reader.unsearched?.(relation)) ?? null,
        );
        if (unsearched !== null) yield { notice: `${path}: ${unsearched} was not searched.` };
      }
      const seen = isFirst ? after.matches : 0;
      let met = 0;
      const items = streamWithReader(source, signal, (reader) =>
        matchesIn(reader, tree, relation, part, request.pattern),
      );
      for await (const item of items) {
        if (met >= limitPerObject || left <= 0) break;
        if (met++ < seen) continue;
        yield item;
        left--;
      }
      if (left <= 0) return;
    }
  }
}

async function* matchesIn<R extends Relation>(
  reader: Reader<R>,
  tree: Tree<R>,
  relation: R,
  part: Part,
  pattern: string,
): AsyncGenerator<GrepItem> {
  const path = tree.pathOf(relation, part);
  if (part === 'schema') {
    yield* linesWith(path, (await tree.schemaText(reader, relation)) ?? '', pattern);
    return;
  }
  for await (const { key, fields } of reader.matches(relation, pattern))
    yield { path, key, content: JSON.stringify(fields) };
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
