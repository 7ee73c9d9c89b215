import type { ObjectCatalog, ObjectRecord, SummaryCatalog, SummaryRecord } from '@trove/core/store';

const pageSize = 1000;

/** All objects of a source, or those whose path starts so, in the order of their paths. */
export function objectsOf(
  objects: ObjectCatalog,
  connectorId: string,
  prefix = '',
): AsyncGenerator<ObjectRecord, void, undefined> {
  return readPages((after) => objects.list(connectorId, { prefix, after, limit: pageSize }));
}

/** All summaries of a source, in the same order. */
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
