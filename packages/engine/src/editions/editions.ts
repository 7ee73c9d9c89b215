import {
  isTroveError,
  messageOf,
  type Collection,
  type ConnectorRecord,
  type EditionReader,
  type EditionRecord,
  type Logger,
  type MetadataStore,
  type VectorIndex,
} from '@trove/core';

/** Readers go by what was so a moment ago. */
const recentMs = 1000;

/** What is known of the sources with one embedding, and where it is indexed. */
export interface Edition {
  readonly embedding: string;
  readonly reader: EditionReader;
  readonly collection: Collection;
}

/** An edition that was begun with another embedder. */
export interface OtherEdition extends Edition {
  readonly record: EditionRecord;
  /** Ids of the sources that it knows all of. */
  readonly complete: ReadonlySet<string>;
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

/**
 * The edition of the configured embedder, and those of others that were configured before, which answer for the sources that
 * are not complete with it.
 */
export class Editions {
  readonly own: Edition;
  readonly #context: EditionsContext;
  readonly #opened = new Map<number, Promise<Pick<Edition, 'reader' | 'collection'>>>();
  #answering: Answering;
  #askedAt = -Infinity;
  #asking: Promise<Answering> | null = null;

  constructor(context: EditionsContext) {
    this.#context = context;
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
    const there = (await this.#context.store.otherEditions()).filter((each) => !each.isDropped);
    for (const number of this.#opened.keys())
      if (!there.some((each) => each.number === number)) this.#opened.delete(number);
    const opened = await Promise.all(there.map((record) => this.#other(record)));
    return opened.filter((each) => each !== null);
  }

  /** Removes all rows of a source, in whichever edition. */
  async removeScope(connectorId: string): Promise<void> {
    for (const { collection } of [this.own, ...(await this.others())])
      await collection.removeScope(connectorId);
  }

  async #ask(): Promise<Answering> {
    try {
      const others = await this.others();
      const sources = others.length === 0 ? [] : await this.#context.store.connectors();
      this.#answering = answeringOf(this.own, others, sources);
      this.#askedAt = performance.now();
    } catch (error) {
      const problem = { error: messageOf(error) };
      this.#context.logger.warn('what other embedders have indexed could not be read', problem);
    }
    return this.#answering;
  }

  /** Null: its collection holds something else, so that nothing can be answered from it. */
  async #other(record: EditionRecord): Promise<OtherEdition | null> {
    const { number, embedding } = record;
    const opening = this.#opened.get(number) ?? this.#open(record);
    this.#opened.set(number, opening);
    opening.catch(() => this.#opened.delete(number));
    const edition = await opening.catch((error: unknown) => {
      if (isTroveError(error) && error.code === 'index_mismatch') return null;
      throw error;
    });
    if (edition === null) return null;
    const { reader, collection } = edition;
    const complete = (await reader.connectors()).filter(({ isComplete }) => isComplete);
    return {
      record,
      embedding,
      reader,
      collection,
      complete: new Set(complete.map(({ id }) => id)),
    };
  }

  async #open(record: EditionRecord): Promise<Pick<Edition, 'reader' | 'collection'>> {
    const { store, index, namespace } = this.#context;
    const { number, dimension, embedding } = record;
    return {
      reader: await store.edition(number),
      collection: await index.collection({
        name: collectionOf(namespace, record),
        dimension,
        embedding,
      }),
    };
  }
}

function answeringOf(
  own: Edition,
  others: readonly OtherEdition[],
  sources: readonly ConnectorRecord[],
): Answering {
  const elsewhere = new Map<string, Edition>();
  for (const { id, isComplete } of sources) {
    const other = isComplete ? undefined : others.find(({ complete }) => complete.has(id));
    if (other !== undefined) elsewhere.set(id, other);
  }
  const isOwnAsked = elsewhere.size < sources.length || sources.length === 0;
  const editions = [...(isOwnAsked ? [own] : []), ...new Set(elsewhere.values())];
  return { editions, of: (id) => elsewhere.get(id) ?? own };
}
