import type { ConnectorStats, GenerationReader, JobOutcome, JobRecord } from '@trove/core/store';
import type { Generations } from './generations.js';

/** The share of objects that may fail or become less searchable without blocking a promotion. */
const toleratedShare = 0.01;

/**
 * Whether a job with this outcome makes the own generation active for its source. The job must have been complete, and no
 * more objects may be missing than before. Otherwise a failing embedder would make objects unfindable.
 */
export async function isPromotable(
  { generations }: { readonly generations: Generations },
  { connectorId, since, failed, total }: JobRecord,
  { status }: JobOutcome,
): Promise<boolean> {
  if (since !== null) return false;
  if (status !== 'partial') return status === 'succeeded';
  if (failed <= toleratedShare * total) return true;
  const others = await generations.others();
  const other = others.find(({ complete }) => complete.has(connectorId));
  if (other === undefined) return true;
  const [now, before] = await Promise.all([
    countSearchable(generations.own.reader, connectorId),
    countSearchable(other.reader, connectorId),
  ]);
  const minimum = (count: number): number => (1 - toleratedShare) * count;
  return now.complete >= minimum(before.complete) && now.searchable >= minimum(before.searchable);
}

/** Counts the completely searchable objects, and all searchable objects. */
async function countSearchable(
  reader: GenerationReader,
  connectorId: string,
): Promise<{ complete: number; searchable: number }> {
  const [stats]: ConnectorStats[] = await reader.sources.stats(connectorId);
  const { indexed = 0, partial = 0 } = stats?.bySearchStatus ?? {};
  return { complete: indexed, searchable: indexed + partial };
}
