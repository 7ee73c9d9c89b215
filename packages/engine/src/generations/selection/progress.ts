import type { ConnectorRecord, ConnectorStats, SearchStatus } from '@trove/core/store';
import type { Generation, Generations } from './generations.js';

const statuses: readonly SearchStatus[] = ['indexed', 'partial', 'not_indexed'];

/** How far the sources have come that were indexed with another embedder. */
export interface SwitchProgress {
  /** The embeddings that some are still answered from. */
  readonly from: readonly string[];
  readonly sources: number;
  readonly sourcesDone: number;
  /** About: of a source that is not done, as many as there were, and as many as are as searchable as before. */
  readonly objects: number;
  readonly objectsDone: number;
}

/** What is known of the sources where they are answered from. */
export interface ActiveStatistics {
  readonly stats: ReadonlyMap<string, ConnectorStats>;
  readonly lastSyncedAt: ReadonlyMap<string, number | null>;
  /** Null: all are answered from the own edition. */
  readonly progress: SwitchProgress | null;
}

/** `sources`: as the own edition has them. */
export async function readActiveStatistics(
  generations: Generations,
  sources: readonly ConnectorRecord[],
): Promise<ActiveStatistics> {
  const { own } = generations;
  const answering = await generations.active();
  const known = new Map<Generation, GenerationStatistics>();
  for (const edition of new Set([own, ...answering.generations]))
    known.set(edition, await readStatistics(edition));
  const ids = sources.map(({ id }) => id);
  const elsewhere = new Set(ids.filter((id) => answering.of(id) !== own));
  const statsIn = (edition: Generation, id: string) => known.get(edition)?.stats.get(id);
  const objects = (id: string): number => statsIn(answering.of(id), id)?.objects ?? 0;
  // What failed is known, and not done.
  const objectsDone = (id: string): number => {
    const before = statsIn(answering.of(id), id)?.bySearchStatus;
    const now = statsIn(own, id)?.bySearchStatus;
    return sum(statuses.map((each) => Math.min(before?.[each] ?? 0, now?.[each] ?? 0)));
  };
  return {
    stats: new Map(
      ids.flatMap((id) => {
        const stats = statsIn(answering.of(id), id);
        return stats === undefined ? [] : [[id, stats]];
      }),
    ),
    lastSyncedAt: new Map(
      sources.map(({ id, lastSyncedAt }) => {
        const synced = known.get(answering.of(id))?.lastSyncedAt.get(id);
        return [id, synced ?? lastSyncedAt];
      }),
    ),
    progress:
      elsewhere.size === 0
        ? null
        : {
            from: [...new Set(Array.from(elsewhere, (id) => answering.of(id).embedding))],
            sources: ids.length,
            sourcesDone: ids.length - elsewhere.size,
            objects: sum(ids.map(objects)),
            objectsDone: sum(ids.map(objectsDone)),
          },
  };
}

interface GenerationStatistics {
  readonly stats: ReadonlyMap<string, ConnectorStats>;
  readonly lastSyncedAt: ReadonlyMap<string, number | null>;
}

async function readStatistics({ reader }: Generation): Promise<GenerationStatistics> {
  const [stats, sources] = await Promise.all([reader.sources.stats(), reader.sources.list()]);
  return {
    stats: new Map(stats.map((each) => [each.connectorId, each])),
    lastSyncedAt: new Map(sources.map(({ id, lastSyncedAt }) => [id, lastSyncedAt])),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
