import { TroveError } from '@trove/core';
import type {
  AddDocumentsRequest,
  AddDocumentsResponse,
  ImportOptions,
  ImportResponse,
} from '../api/schemas.js';
import type { GraphCallOptions } from '../graphs.js';
import type { GraphCache } from '../loaded/graph-cache.js';
import type { Passage } from '../storage/passage.js';
import type { LoadCall, LoadedDocument, Loader, UploadedFile } from '../sources/documents.js';
import { build, type BuildGround } from './builder.js';
import { chunkingOf } from './chunking.js';
import { changedDocuments, type DocumentChanges } from './changes.js';
import { documentDrafts } from './document-drafts.js';
import type { Draft } from './draft.js';
import { importDrafts, type ImportCounts } from './import-drafts.js';

const maxErrors = 100;

interface Call {
  readonly signal: AbortSignal;
  readonly onProgress?: GraphCallOptions['onProgress'];
}

/** Builds graphs from whatever callers bring. */
export class BuildService {
  readonly #ground: BuildGround;
  readonly #cache: GraphCache;
  readonly #loader: Loader;

  constructor(ground: BuildGround, cache: GraphCache, loader: Loader) {
    this.#ground = ground;
    this.#cache = cache;
    this.#loader = loader;
  }

  async addDocuments(
    graph: string,
    request: AddDocumentsRequest,
    { signal, onProgress }: Call,
  ): Promise<AddDocumentsResponse> {
    const drafts = documentDrafts(request);
    const total = drafts.length;
    const options = { extract: request.extract_triplets, total, signal, onProgress };
    const { content, ids, notes } = await build(
      this.#ground,
      graph,
      () => asynchronous(drafts),
      options,
    );
    return {
      num_documents: ids.length,
      num_entities: content.entities,
      num_relations: content.relations,
      document_ids: [...ids],
      errors: [...notes],
    };
  }

  /** In place of documents with the same ids, or after the others. The graph need not exist. */
  async upsert(
    graph: string,
    request: AddDocumentsRequest,
    call: Call,
  ): Promise<AddDocumentsResponse> {
    if (request.ids === undefined) throw invalid('body.ids: is required');
    const drafts = documentDrafts(request);
    const upserts = new Map(drafts.map((draft) => [draft.id ?? '', draft]));
    const options = { extract: request.extract_triplets, total: null, ...call };
    const { content, notes } = await build(
      this.#ground,
      graph,
      () => this.#changed(graph, { upserts, removed: new Set() }, call.signal),
      options,
    );
    return {
      num_documents: content.passages,
      num_entities: content.entities,
      num_relations: content.relations,
      document_ids: [...request.ids],
      errors: [...notes],
    };
  }

  /** Throws `not_found` for an unknown graph, and `validation_error` if nothing would be left of it. */
  async remove(graph: string, ids: readonly string[], call: Call): Promise<void> {
    await this.#ground.storage.graph(graph);
    const changes = { upserts: new Map(), removed: new Set(ids) };
    const left = () => notEmpty(this.#changed(graph, changes, call.signal));
    try {
      await build(this.#ground, graph, left, { extract: false, total: null, ...call });
    } catch (error) {
      if (!(error instanceof NothingLoaded)) throw error;
      throw invalid('ids: name every document of the graph; delete the graph instead');
    }
  }

  /** Read when the graph is held, so that nothing comes in between. */
  async *#changed(
    graph: string,
    changes: DocumentChanges,
    signal: AbortSignal,
  ): AsyncGenerator<Draft | Passage, void, undefined> {
    const exists = (await this.#ground.storage.find(graph)) !== null;
    const current = exists ? (await this.#cache.get(graph, signal)).passages.values() : [];
    yield* changedDocuments(current, changes);
  }

  importSources(
    graph: string,
    sources: readonly string[],
    options: ImportOptions,
    call: Call,
  ): Promise<ImportResponse> {
    return this.#import(graph, sources.length, options, call, (loading) =>
      this.#loader.sources(sources, loading),
    );
  }

  upload(
    graph: string,
    files: readonly UploadedFile[],
    options: ImportOptions,
    call: Call,
  ): Promise<ImportResponse> {
    return this.#import(graph, files.length, options, call, (loading) =>
      this.#loader.uploads(files, loading),
    );
  }

  async #import(
    graph: string,
    sources: number,
    options: ImportOptions,
    { signal, onProgress }: Call,
    load: (loading: LoadCall) => AsyncIterable<LoadedDocument>,
  ): Promise<ImportResponse> {
    const counts: ImportCounts = { documents: 0, chunks: 0 };
    const errors: string[] = [];
    const note = (problem: string): void => {
      if (errors.length < maxErrors) errors.push(problem);
    };
    const chunking = chunkingOf(options);
    const result = (success: boolean, entities: number, relations: number): ImportResponse => ({
      success,
      num_sources: sources,
      num_documents: counts.documents,
      num_chunks: counts.chunks,
      num_entities: entities,
      num_relations: relations,
      errors,
    });
    try {
      const { content, notes } = await build(
        this.#ground,
        graph,
        () => notEmpty(importDrafts(load({ note, signal, onProgress }), chunking, counts)),
        { extract: options.extract_triplets, total: null, signal, onProgress },
      );
      notes.forEach(note);
      return result(true, content.entities, content.relations);
    } catch (error) {
      if (error instanceof NothingLoaded) return result(false, 0, 0);
      throw error;
    }
  }
}

/** Ends a build without a document, so that the graph stays as it was. */
class NothingLoaded extends Error {}

async function* notEmpty<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let some = false;
  for await (const item of items) {
    some = true;
    yield item;
  }
  if (!some) throw new NothingLoaded();
}

async function* asynchronous<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function invalid(detail: string): TroveError {
  return new TroveError('validation_error', detail);
}
