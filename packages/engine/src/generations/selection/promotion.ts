import type { ConnectorStats, GenerationReader, JobOutcome, JobRecord } from '@trove/core/store';
import type { Generations } from './generations.js';

/** What may fail, or not be found any more, without the source being worse to search than before. */
const toleratedShare = 0.01;

/**
 * Whether a source is answered from the own edition once a job has ended so: the job brought in what there is, and no more is
 * missing than before. Otherwise an embedder that fails would take away what is found without it.
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
  const least = (count: number): number => (1 - toleratedShare) * count;
  return now.wholly >= least(before.wholly) && now.somehow >= least(before.somehow);
}

/** How many objects can be found, and how many of these with all that is in them and by meaning. */
async function countSearchable(
  reader: GenerationReader,
  connectorId: string,
): Promise<{ wholly: number; somehow: number }> {
  const [stats]: ConnectorStats[] = await reader.sources.stats(connectorId);
  const { indexed = 0, partial = 0 } = stats?.bySearchStatus ?? {};
  return { wholly: indexed, somehow: indexed + partial };
}
