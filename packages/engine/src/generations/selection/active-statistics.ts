import type { ConnectorRecord, ConnectorStats, SearchStatus } from '@trove/core/store';
import type { Generation, Generations } from './generations.js';

const statuses: readonly SearchStatus[] = ['indexed', 'partial', 'not_indexed'];

/** The progress of indexing all sources with a new embedder. */
export interface SwitchProgress {
  /** The embeddings of other generations that are still active. */
  readonly from: readonly string[];
  readonly sources: number;
  readonly sourcesDone: number;
  /**
   * Estimates. For an unfinished source, these are the objects of its active generation, and those as searchable as before.
   */
  readonly objects: number;
  readonly objectsDone: number;
}

/** Statistics of each source in its active generation. */
export interface ActiveStatistics {
  readonly stats: ReadonlyMap<string, ConnectorStats>;
  readonly lastSyncedAt: ReadonlyMap<string, number | null>;
  /** Null if the own generation is active for all sources. */
  readonly progress: SwitchProgress | null;
}

/**
 * `listing`: the records of the own generation. They are counted while they are read. `only`: the id of the only source
 * in it.
 */
export async function readActiveStatistics(
  generations: Generations,
  listing: Promise<readonly ConnectorRecord[]>,
  only?: string,
): Promise<ActiveStatistics> {
  const { own } = generations;
  const active = await generations.active();
  const statistics = new Map<Generation, GenerationStatistics>();
  for (const generation of new Set([own, ...active.generations]))
    statistics.set(
      generation,
      await readStatistics(generation, generation === own ? listing : null, only),
    );
  const sources = await listing;
  const ids = sources.map(({ id }) => id);
  const switching = new Set(ids.filter((id) => active.of(id) !== own));
  const statsIn = (generation: Generation, id: string) => statistics.get(generation)?.stats.get(id);
  const objects = (id: string): number => statsIn(active.of(id), id)?.objects ?? 0;
  // Failed objects have a record but do not count as done.
  const objectsDone = (id: string): number => {
    const before = statsIn(active.of(id), id)?.bySearchStatus;
    const now = statsIn(own, id)?.bySearchStatus;
    return sum(statuses.map((each) => Math.min(before?.[each] ?? 0, now?.[each] ?? 0)));
  };
  return {
    stats: new Map(
      ids.flatMap((id) => {
        const stats = statsIn(active.of(id), id);
        return stats === undefined ? [] : [[id, stats]];
      }),
    ),
    lastSyncedAt: new Map(
      sources.map(({ id, lastSyncedAt }) => {
        const synced = statistics.get(active.of(id))?.lastSyncedAt.get(id);
        return [id, synced ?? lastSyncedAt];
      }),
    ),
    progress:
      switching.size === 0
        ? null
        : {
            from: [...new Set(Array.from(switching, (id) => active.of(id).embedding))],
            sources: ids.length,
            sourcesDone: ids.length - switching.size,
            objects: sum(ids.map(objects)),
            objectsDone: sum(ids.map(objectsDone)),
          },
  };
}

interface GenerationStatistics {
  readonly stats: ReadonlyMap<string, ConnectorStats>;
  readonly lastSyncedAt: ReadonlyMap<string, number | null>;
}

/** `listing`: the records of the sources in this generation. Null: they are read. */
async function readStatistics(
  { reader }: Generation,
  listing: Promise<readonly ConnectorRecord[]> | null,
  only: string | undefined,
): Promise<GenerationStatistics> {
  const [stats, sources] = await Promise.all([
    reader.sources.stats(only),
    listing ?? reader.sources.list(only === undefined ? undefined : [only]),
  ]);
  return {
    stats: new Map(stats.map((each) => [each.connectorId, each])),
    lastSyncedAt: new Map(sources.map(({ id, lastSyncedAt }) => [id, lastSyncedAt])),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
