import type { ConnectorStats, EditionReader, JobOutcome, JobRecord } from '@trove/core';
import type { Editions } from './editions.js';

/** What may fail, or not be found any more, without the source being worse to search than before. */
const tolerated = 0.01;

/**
 * Whether a source is answered from the own edition once a job has ended so: the job brought in what there is, and no more is
 * missing than before. Otherwise an embedder that fails would take away what is found without it.
 */
export async function takesOver(
  { editions }: { readonly editions: Editions },
  { connectorId, since, failed, total }: JobRecord,
  { status }: JobOutcome,
): Promise<boolean> {
  if (since !== null) return false;
  if (status !== 'partial') return status === 'succeeded';
  const { own } = editions;
  const other = (await editions.answering()).of(connectorId);
  if (other === own || failed <= tolerated * total) return true;
  const [found, foundBefore] = await Promise.all([
    searchable(own.reader, connectorId),
    searchable(other.reader, connectorId),
  ]);
  return found >= (1 - tolerated) * foundBefore;
}

/** How many objects can be found. */
async function searchable(reader: EditionReader, connectorId: string): Promise<number> {
  const [stats]: ConnectorStats[] = await reader.connectorStats(connectorId);
  const { indexed = 0, partial = 0 } = stats?.bySearchStatus ?? {};
  return indexed + partial;
}
