import { TroveError } from '@trove/core';
import type { Collection } from '@trove/core/index';
import type { GraphRecord } from '@trove/core/store';
import { fieldNames } from '../filter/fields.js';
import { isPartOfDocument, sectionOf } from '../identity/section.js';
import { createRetriever } from '../retrieval/index.js';
import type { GraphRetriever } from '../retrieval/types.js';
import { GraphNames } from '../storage/graph-names.js';
import type { StoredPassage } from '../storage/passage.js';
import { blockName, passagesOf } from '../storage/rows.js';
import { TimeSlices } from '../time-slices.js';

const maxFieldNames = 1000;
/** Per passage, besides its text. */
const passageOverheadBytes = 400;

/** One generation of a graph in memory. */
export class LoadedGraph {
  readonly record: GraphRecord;
  readonly retriever: GraphRetriever;
  /** In the order in which they were added. */
  readonly passages: ReadonlyMap<string, StoredPassage>;
  /** Fields that filters can use; null if there are too many. */
  readonly fieldNames: ReadonlySet<string> | null;
  readonly #textBytes: number;
  #names: Promise<ReadonlyMap<string, string>> | null = null;

  private constructor(
    record: GraphRecord,
    retriever: GraphRetriever,
    passages: ReadonlyMap<string, StoredPassage>,
    names: ReadonlySet<string> | null,
    textBytes: number,
  ) {
    this.record = record;
    this.retriever = retriever;
    this.passages = passages;
    this.fieldNames = names;
    this.#textBytes = textBytes;
  }

  /** Throws `storage_unavailable` if rows are missing. */
  static async load(
    record: GraphRecord,
    collection: Collection,
    signal: AbortSignal,
  ): Promise<LoadedGraph> {
    const { name, generation, blocks } = record;
    const retriever = createRetriever(name);
    const passages = new Map<string, StoredPassage>();
    let names: Set<string> | null = new Set();
    let textBytes = 0;
    const slices = new TimeSlices();
    for (let block = 0; block < blocks; block++) {
      signal.throwIfAborted();
      const rows = await collection.rows(blockName(generation, block));
      for (const passage of passagesOf(rows)) {
        const { metadata } = passage;
        const part = isPartOfDocument(metadata) ? { section: sectionOf(metadata) } : {};
        retriever.add([{ ...passage, ...part }]);
        passages.set(passage.id, passage);
        textBytes += bytesOf(passage);
        for (const each of names === null ? [] : fieldNames(passage.metadata)) names?.add(each);
        if (names !== null && names.size > maxFieldNames) names = null;
        await slices.yieldIfDue();
      }
    }
    if (passages.size !== record.passages) throw damaged(record, passages.size);
    return new LoadedGraph(record, retriever, passages, names, textBytes);
  }

  /** Returns the name of an entity by its id, or null. */
  async entityName(id: string): Promise<string | null> {
    this.#names ??= this.#readNames();
    return (await this.#names).get(id) ?? null;
  }

  async #readNames(): Promise<ReadonlyMap<string, string>> {
    const derived = new GraphNames(this.record.name);
    const slices = new TimeSlices();
    for (const passage of this.passages.values()) {
      derived.add([passage]);
      await slices.yieldIfDue();
    }
    return derived.entities;
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.retriever.bytes + this.#textBytes;
  }
}

function bytesOf({ text, metadata, triplets }: StoredPassage): number {
  const ofTriplets = triplets.reduce(
    (sum, { subject, predicate, object }) =>
      sum + 100 + subject.length + predicate.length + object.length,
    0,
  );
  return passageOverheadBytes + 2 * text.length + 2 * JSON.stringify(metadata).length + ofTriplets;
}

function damaged({ name, passages }: GraphRecord, found: number): TroveError {
  return new TroveError(
    'storage_unavailable',
    `The graph ${name} has only ${found} of its ${passages} passages`,
    { suggestions: ['Build the graph again.'], retryable: true },
  );
}
