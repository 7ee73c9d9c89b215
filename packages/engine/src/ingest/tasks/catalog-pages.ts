import type { ObjectCatalog, ObjectRecord, SummaryCatalog, SummaryRecord } from '@trove/core/store';

const pageSize = 1000;

/** Yields all objects of a source, or those with a path prefix, ordered by path. */
export function objectsOf(
  objects: ObjectCatalog,
  connectorId: string,
  prefix = '',
): AsyncGenerator<ObjectRecord, void, undefined> {
  return readPages((after) => objects.list(connectorId, { prefix, after, limit: pageSize }));
}

/** Yields all summaries of a source, ordered by path. */
export function summariesOf(
  summaries: SummaryCatalog,
  connectorId: string,
): AsyncGenerator<SummaryRecord, void, undefined> {
  return readPages((after) => summaries.list(connectorId, { after, limit: pageSize }));
}

async function* readPages<T extends { readonly path: string }>(
  pageAfter: (after: string | null) => Promise<readonly T[]>,
): AsyncGenerator<T, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page = await pageAfter(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.path;
  }
}
