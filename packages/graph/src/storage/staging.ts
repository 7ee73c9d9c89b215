import type { Collection, IndexGroup } from '@trove/core/index';
import type { GraphContent, GraphCatalog } from '@trove/core/store';
import { withAnySignal } from '@trove/runtime';
import { hasVectors, graphParts, type GraphPart, type VectorSpec } from './collections.js';
import { GraphNames, type NamedItem } from './graph-names.js';
import { leaseLost, type GraphLease } from './lease.js';
import type { StoredPassage } from './passage.js';
import { createNameBlock, createPassageBlock } from './rows.js';

const passagesPerBlock = 128;
const namesPerBlock = 1024;
/** A commit takes half a second regardless of its size. */
const rowsPerWrite = 4096;
const charsPerWrite = 16 * 1024 * 1024;

export type EmbedGraphTexts = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<(Float32Array | null)[]>;

/** Rows that wait to be written to one collection. */
interface PendingRows {
  readonly groups: IndexGroup[];
  rows: number;
  chars: number;
}

/** Writes a new generation of a graph beside the active one. */
export class Staging {
  readonly #graphs: GraphCatalog;
  readonly #lease: GraphLease;
  readonly #collections: Readonly<Record<GraphPart, Collection>>;
  readonly #vectors: VectorSpec;
  readonly #embed: EmbedGraphTexts;
  readonly #derived: GraphNames;
  readonly #pending: Record<GraphPart, PendingRows>;
  readonly #names: Record<'entities' | 'relations', NamedItem[]> = { entities: [], relations: [] };
  readonly #blocks: Record<GraphPart, number> = { entities: 0, relations: 0, passages: 0 };
  #waitingPassages: StoredPassage[] = [];
  #passages = 0;

  constructor(
    graphs: GraphCatalog,
    lease: GraphLease,
    collections: Readonly<Record<GraphPart, Collection>>,
    vectors: VectorSpec,
    embed: EmbedGraphTexts,
  ) {
    this.#graphs = graphs;
    this.#lease = lease;
    this.#collections = collections;
    this.#vectors = vectors;
    this.#embed = embed;
    this.#derived = new GraphNames(lease.graph);
    this.#pending = {
      entities: noPendingRows(),
      relations: noPendingRows(),
      passages: noPendingRows(),
    };
  }

  /** Appends passages with new ids. */
  async add(passages: readonly StoredPassage[], signal: AbortSignal): Promise<void> {
    const added = this.#derived.add(passages);
    this.#names.entities.push(...added.entities);
    this.#names.relations.push(...added.relations);
    this.#waitingPassages.push(...passages);
    this.#passages += passages.length;
    await withAnySignal([this.#lease.signal, signal], (until) =>
      this.#writeBlocks(passagesPerBlock, namesPerBlock, until),
    );
  }

  /** Makes the new generation active. Throws `graph_busy` if another process may change the graph. */
  async commit(signal: AbortSignal): Promise<GraphContent> {
    await withAnySignal([this.#lease.signal, signal], async (until) => {
      await this.#writeBlocks(1, 1, until);
      for (const part of graphParts) await this.#write(part, until);
      until.throwIfAborted();
    });
    const content: GraphContent = {
      passages: this.#passages,
      entities: this.#derived.entities.size,
      relations: this.#derived.relations.size,
      blocks: this.#blocks.passages,
      embedding: this.#vectors.embedding,
      dimension: this.#vectors.dimension,
    };
    const { graph, generation } = this.#lease;
    const isPromoted = await this.#graphs.promote(graph, generation, content);
    if (!isPromoted) throw leaseLost(graph);
    return content;
  }

  /** Writes blocks while at least this many passages or names are waiting. */
  async #writeBlocks(minPassages: number, minNames: number, signal: AbortSignal): Promise<void> {
    const { graph, generation } = this.#lease;
    while (this.#waitingPassages.length >= minPassages) {
      const passages = this.#waitingPassages.splice(0, passagesPerBlock);
      const vectors = await this.#vectorsOf(passages.map(embeddedText), signal);
      const block = this.#blocks.passages++;
      await this.#put(
        'passages',
        createPassageBlock(graph, generation, block, passages, vectors),
        signal,
      );
    }
    for (const [part, kind] of [
      ['entities', 'entity'],
      ['relations', 'relation'],
    ] as const) {
      while (this.#names[part].length >= minNames) {
        const names = this.#names[part].splice(0, namesPerBlock);
        const vectors = await this.#vectorsOf(
          names.map(({ text }) => text),
          signal,
        );
        const rows = names.map((name, at) => ({ ...name, vector: vectors[at] ?? null }));
        const block = this.#blocks[part]++;
        await this.#put(part, createNameBlock(graph, generation, kind, block, rows), signal);
      }
    }
  }

  async #vectorsOf(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | null)[]> {
    return hasVectors(this.#vectors) ? this.#embed(texts, signal) : [];
  }

  async #put(part: GraphPart, group: IndexGroup, signal: AbortSignal): Promise<void> {
    const pending = this.#pending[part];
    pending.groups.push(group);
    pending.rows += group.rows.length;
    for (const { content } of group.rows) pending.chars += content.length;
    if (pending.rows >= rowsPerWrite || pending.chars >= charsPerWrite) {
      await this.#write(part, signal);
    }
  }

  async #write(part: GraphPart, signal: AbortSignal): Promise<void> {
    const { groups } = this.#pending[part];
    this.#pending[part] = noPendingRows();
    signal.throwIfAborted();
    if (groups.length > 0) await this.#collections[part].replace(groups, { signal });
  }
}

/** Returns the text that is embedded for a passage. */
function embeddedText({ title, text }: StoredPassage): string {
  return title === null || text.startsWith(title) ? text : `${title}\n${text}`;
}

function noPendingRows(): PendingRows {
  return { groups: [], rows: 0, chars: 0 };
}
