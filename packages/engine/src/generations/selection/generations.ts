import { createToken } from '@trove/core/di';
import { isTroveError, messageOf, type Logger } from '@trove/core';
import type { Collection, VectorIndex } from '@trove/core/index';
import type {
  ConnectorRecord,
  GenerationReader,
  GenerationRecord,
  MetadataStore,
} from '@trove/core/store';
import { ProblemLog } from '../maintenance/problem-log.js';

/** How long the selection of generations is reused. */
const maxAgeMs = 1000;

/** All sources as indexed with one embedding, and the collection with their rows. */
export interface Generation {
  readonly embedding: string;
  readonly reader: GenerationReader;
  readonly collection: Collection;
}

/** All sources as indexed with another embedder. Its collection may fail to open. */
export interface OtherGeneration {
  readonly record: GenerationRecord;
  readonly reader: GenerationReader;
  /** Ids of the sources that are indexed completely in this generation. */
  readonly complete: ReadonlySet<string>;
  /** Ids of the sources that are being synced for this generation. */
  readonly syncing: ReadonlySet<string>;
}

/** The active generation of each source. */
export interface ActiveGenerations {
  /** The generations that are active for at least one source, or only the own one. */
  readonly generations: readonly Generation[];
  of(connectorId: string): Generation;
}

/** The part of a collection that queries use. */
export type QueriedCollection = Pick<
  Collection,
  'search' | 'identify' | 'fetch' | 'frequencies' | 'hasField' | 'sampleFields'
>;

/** A generation as a caller sees it. */
export interface QueriedGeneration extends Pick<Generation, 'embedding' | 'reader'> {
  readonly collection: QueriedCollection;
}

/** The active generation of each source, as a caller sees them. */
export interface QueriedGenerations {
  /** The generations that are active for at least one source, or only the own one. */
  readonly generations: readonly QueriedGeneration[];
  of(connectorId: string): QueriedGeneration;
}

/** The token of `GenerationFinder` in an engine's container. */
export const GenerationFinderToken = createToken<GenerationFinder>('engine.generation_finder');

/** Finds the generations that answer queries, as the caller sees them. */
export interface GenerationFinder {
  readonly own: QueriedGeneration;
  active(): Promise<QueriedGenerations>;
}

export interface GenerationsContext {
  readonly store: Pick<MetadataStore, 'generations' | 'sources'>;
  readonly index: VectorIndex;
  readonly namespace: string;
  readonly own: Generation;
  readonly logger: Logger;
}

/** Returns the name of a generation's collection. */
export function collectionOf(
  namespace: string,
  { number }: Pick<GenerationRecord, 'number'>,
): string {
  return number === 1 ? `${namespace}_chunks` : `${namespace}_chunks_${number}`;
}

/** The token of `Generations` in an engine's container. */
export const GenerationsToken = createToken<Generations>('engine.generations');

/**
 * The generation of the configured embedder, and those of earlier embedders. The latter stay active for sources that the
 * own generation has not indexed completely.
 */
export class Generations implements GenerationFinder {
  readonly own: Generation;
  readonly #context: GenerationsContext;
  readonly #opened = new Map<number, Promise<Collection>>();
  readonly #problem: ProblemLog;
  #active: ActiveGenerations;
  #loadedAt = -Infinity;
  #loading: Promise<ActiveGenerations> | null = null;

  constructor(context: GenerationsContext) {
    this.#context = context;
    this.#problem = new ProblemLog(context.logger, {
      started: 'some generations of other embedders cannot be read',
      ended: 'the generations of other embedders can be read again',
    });
    this.own = context.own;
    this.#active = { generations: [context.own], of: () => context.own };
  }

  /** Returns the selection, up to a second old. While the store fails, returns the previous one. */
  async active(): Promise<ActiveGenerations> {
    if (performance.now() - this.#loadedAt < maxAgeMs) return this.#active;
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  /** Discards the cached selection. */
  invalidate(): void {
    this.#loadedAt = -Infinity;
  }

  /** Returns the existing generations of other embedders, the most recently used first. */
  async others(): Promise<OtherGeneration[]> {
    const { store } = this.#context;
    const existing = (await store.generations.listOthers()).filter((each) => !each.isDropped);
    for (const number of this.#opened.keys())
      if (!existing.some((each) => each.number === number)) this.#opened.delete(number);
    return Promise.all(
      existing.map(async (record) => {
        const reader = await store.generations.reader(record.number);
        const sources = await reader.sources.list();
        const ids = (those: readonly ConnectorRecord[]) => new Set(those.map(({ id }) => id));
        return {
          record,
          reader,
          complete: ids(sources.filter(({ isComplete }) => isComplete)),
          syncing: ids(sources.filter(({ status }) => status === 'syncing')),
        };
      }),
    );
  }

  /** Removes all rows of a source from every generation. */
  async removeScope(connectorId: string): Promise<void> {
    await this.own.collection.removeScope(connectorId);
    for (const { record } of await this.others()) {
      const collection = await this.#open(record).catch(ignoreMismatch);
      await collection?.removeScope(connectorId);
    }
  }

  async #load(): Promise<ActiveGenerations> {
    try {
      const others = await this.others();
      const sources = others.length === 0 ? [] : await this.#context.store.sources.list();
      this.#active = await this.#select(others, sources);
      this.#loadedAt = performance.now();
    } catch (error) {
      this.#problem.update(messageOf(error));
    }
    return this.#active;
  }

  async #select(
    others: readonly OtherGeneration[],
    sources: readonly ConnectorRecord[],
  ): Promise<ActiveGenerations> {
    const missing = sources.filter(({ isComplete }) => !isComplete).map(({ id }) => id);
    const needed = others.filter(({ complete }) => missing.some((id) => complete.has(id)));
    const problems: string[] = [];
    const opened = await Promise.all(
      needed.map(async ({ record, reader, complete }) => {
        const { embedding } = record;
        try {
          const collection = await this.#open(record).catch(ignoreMismatch);
          return collection === null ? [] : [{ embedding, reader, collection, complete }];
        } catch (error) {
          // The other generations still answer, and the own one indexes these sources again.
          problems.push(`${embedding}: ${messageOf(error)}`);
          return [];
        }
      }),
    );
    this.#problem.update(problems.length === 0 ? null : problems.join('; '));
    return selectActive(this.own, opened.flat(), missing, sources.length);
  }

  #open(record: GenerationRecord): Promise<Collection> {
    const { index, namespace } = this.#context;
    const { number, dimension, embedding } = record;
    const opening =
      this.#opened.get(number) ??
      index.collection({ name: collectionOf(namespace, record), dimension, embedding });
    this.#opened.set(number, opening);
    opening.catch(() => this.#opened.delete(number));
    return opening;
  }
}

/** Returns null when the collection holds other vectors and therefore cannot answer. */
function ignoreMismatch(error: unknown): null {
  if (isTroveError(error) && error.code === 'index_mismatch') return null;
  throw error;
}

function selectActive(
  own: Generation,
  others: readonly (Generation & Pick<OtherGeneration, 'complete'>)[],
  missing: readonly string[],
  sources: number,
): ActiveGenerations {
  const elsewhere = new Map<string, Generation>();
  for (const id of missing) {
    const other = others.find(({ complete }) => complete.has(id));
    if (other !== undefined) elsewhere.set(id, other);
  }
  const isOwnActive = elsewhere.size < sources || sources === 0;
  const generations = [...(isOwnActive ? [own] : []), ...new Set(elsewhere.values())];
  return { generations, of: (id) => elsewhere.get(id) ?? own };
}
