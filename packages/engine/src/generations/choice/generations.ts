import { token } from '@trove/core/di';
import { isTroveError, messageOf, type Logger } from '@trove/core';
import type { Collection, VectorIndex } from '@trove/core/index';
import type {
  ConnectorRecord,
  EditionReader,
  EditionRecord,
  MetadataStore,
} from '@trove/core/store';
import { LastingProblem } from '../maintenance/lasting-problem.js';

/** Readers go by what was so a moment ago. */
const recentMs = 1000;

/** What is known of the sources with one embedding, and where it is indexed. */
export interface Edition {
  readonly embedding: string;
  readonly reader: EditionReader;
  readonly collection: Collection;
}

/** What is known with another embedder, whether or not its index can be opened. */
export interface OtherEdition {
  readonly record: EditionRecord;
  readonly reader: EditionReader;
  /** Ids of the sources that it knows all of. */
  readonly complete: ReadonlySet<string>;
  /** Ids of those that a sync of it has been asked for. */
  readonly syncing: ReadonlySet<string>;
}

/** Which edition each source is answered from. */
export interface Answering {
  /** Those that any source is answered from, or the own one alone. */
  readonly editions: readonly Edition[];
  of(connectorId: string): Edition;
}

export interface EditionsContext {
  readonly store: MetadataStore;
  readonly index: VectorIndex;
  readonly namespace: string;
  readonly own: Edition;
  readonly logger: Logger;
}

/** The name of the collection of an edition. */
export function collectionOf(namespace: string, { number }: Pick<EditionRecord, 'number'>): string {
  return number === 1 ? `${namespace}_chunks` : `${namespace}_chunks_${number}`;
}

/** The token of `Editions` in an engine's container. */
export const EditionsToken = token<Editions>('engine.editions');

/**
 * The edition of the configured embedder, and those of others that were configured before, which answer for the sources that
 * are not complete with it.
 */
export class Editions {
  readonly own: Edition;
  readonly #context: EditionsContext;
  readonly #opened = new Map<number, Promise<Collection>>();
  readonly #problem: LastingProblem;
  #answering: Answering;
  #askedAt = -Infinity;
  #asking: Promise<Answering> | null = null;

  constructor(context: EditionsContext) {
    this.#context = context;
    this.#problem = new LastingProblem(context.logger, {
      begun: 'not all that other embedders have indexed can be read',
      over: 'what other embedders have indexed can be read again',
    });
    this.own = context.own;
    this.#answering = { editions: [context.own], of: () => context.own };
  }

  /** As it was a moment ago, or as far as is known while the store does not answer. */
  async answering(): Promise<Answering> {
    if (performance.now() - this.#askedAt < recentMs) return this.#answering;
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** Has the next who asks look anew. */
  lookAgain(): void {
    this.#askedAt = -Infinity;
  }

  /** Those that are there, the one used last first. */
  async others(): Promise<OtherEdition[]> {
    const { store } = this.#context;
    const there = (await store.otherEditions()).filter((each) => !each.isDropped);
    for (const number of this.#opened.keys())
      if (!there.some((each) => each.number === number)) this.#opened.delete(number);
    return Promise.all(
      there.map(async (record) => {
        const reader = await store.edition(record.number);
        const sources = await reader.connectors();
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

  /** Removes all rows of a source, in whichever edition. */
  async removeScope(connectorId: string): Promise<void> {
    await this.own.collection.removeScope(connectorId);
    for (const { record } of await this.others()) {
      const collection = await this.#open(record).catch(unlessMismatch);
      await collection?.removeScope(connectorId);
    }
  }

  async #ask(): Promise<Answering> {
    try {
      const others = await this.others();
      const sources = others.length === 0 ? [] : await this.#context.store.connectors();
      this.#answering = await this.#answeringOf(others, sources);
      this.#askedAt = performance.now();
    } catch (error) {
      this.#problem.is(messageOf(error));
    }
    return this.#answering;
  }

  async #answeringOf(
    others: readonly OtherEdition[],
    sources: readonly ConnectorRecord[],
  ): Promise<Answering> {
    const missing = sources.filter(({ isComplete }) => !isComplete).map(({ id }) => id);
    const wanted = others.filter(({ complete }) => missing.some((id) => complete.has(id)));
    const problems: string[] = [];
    const opened = await Promise.all(
      wanted.map(async ({ record, reader, complete }) => {
        const { embedding } = record;
        try {
          const collection = await this.#open(record).catch(unlessMismatch);
          return collection === null ? [] : [{ embedding, reader, collection, complete }];
        } catch (error) {
          // The others still answer, and what they answered is indexed anew.
          problems.push(`${embedding}: ${messageOf(error)}`);
          return [];
        }
      }),
    );
    this.#problem.is(problems.length === 0 ? null : problems.join('; '));
    return answeringOf(this.own, opened.flat(), missing, sources.length);
  }

  #open(record: EditionRecord): Promise<Collection> {
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

/** Null: a collection holds something else, so that nothing can be answered from it. */
function unlessMismatch(error: unknown): null {
  if (isTroveError(error) && error.code === 'index_mismatch') return null;
  throw error;
}

function answeringOf(
  own: Edition,
  others: readonly (Edition & Pick<OtherEdition, 'complete'>)[],
  missing: readonly string[],
  sources: number,
): Answering {
  const elsewhere = new Map<string, Edition>();
  for (const id of missing) {
    const other = others.find(({ complete }) => complete.has(id));
    if (other !== undefined) elsewhere.set(id, other);
  }
  const isOwnAsked = elsewhere.size < sources || sources === 0;
  const editions = [...(isOwnAsked ? [own] : []), ...new Set(elsewhere.values())];
  return { editions, of: (id) => elsewhere.get(id) ?? own };
}
