import { TroveError } from '@trove/core';
import type {
  AddDocumentsRequest,
  AddDocumentsResponse,
  ImportOptions,
  ImportResponse,
} from '../api/schemas.js';
import type { GraphCallOptions } from '../graphs.js';
import type { GraphCache } from '../loaded/graph-cache.js';
import type { StoredPassage } from '../storage/passage.js';
import type {
  LoadOptions,
  LoadedDocument,
  DocumentLoader,
  UploadedFile,
} from '../sources/document-loader.js';
import { build, type BuildDependencies } from './builder.js';
import { chunkingOf } from './chunking.js';
import { applyChanges, type DocumentChanges } from './changes.js';
import { createDrafts } from './document-drafts.js';
import type { PassageDraft } from './draft.js';
import { createImportDrafts, type ImportCounts } from './import-drafts.js';

const maxErrors = 100;

interface BuildCall {
  readonly signal: AbortSignal;
  readonly onProgress?: GraphCallOptions['onProgress'];
}

/** Builds graphs from documents, sources and uploaded files. */
export class BuildService {
  readonly #dependencies: BuildDependencies;
  readonly #cache: GraphCache;
  readonly #loader: DocumentLoader;

  constructor(dependencies: BuildDependencies, cache: GraphCache, loader: DocumentLoader) {
    this.#dependencies = dependencies;
    this.#cache = cache;
    this.#loader = loader;
  }

  async addDocuments(
    graph: string,
    request: AddDocumentsRequest,
    { signal, onProgress }: BuildCall,
  ): Promise<AddDocumentsResponse> {
    const drafts = createDrafts(request);
    const total = drafts.length;
    const options = { extract: request.extract_triplets, total, signal, onProgress };
    const { content, ids, warnings } = await build(
      this.#dependencies,
      graph,
      () => toAsync(drafts),
      options,
    );
    return {
      num_documents: ids.length,
      num_entities: content.entities,
      num_relations: content.relations,
      document_ids: [...ids],
      errors: [...warnings],
    };
  }

  /** Replaces documents with the same ids in place and appends the others. Creates the graph if needed. */
  async upsert(
    graph: string,
    request: AddDocumentsRequest,
    call: BuildCall,
  ): Promise<AddDocumentsResponse> {
    if (request.ids === undefined) throw invalid('body.ids: is required');
    const drafts = createDrafts(request);
    const upserts = new Map(drafts.map((draft) => [draft.id ?? '', draft]));
    const options = { extract: request.extract_triplets, total: null, ...call };
    const { content, warnings } = await build(
      this.#dependencies,
      graph,
      () => this.#changed(graph, { upserts, removed: new Set() }, call.signal),
      options,
    );
    return {
      num_documents: content.passages,
      num_entities: content.entities,
      num_relations: content.relations,
      document_ids: [...request.ids],
      errors: [...warnings],
    };
  }

  /** Throws `not_found` for an unknown graph, and `validation_error` if no document would be left. */
  async remove(graph: string, ids: readonly string[], call: BuildCall): Promise<void> {
    await this.#dependencies.storage.graph(graph);
    const changes = { upserts: new Map(), removed: new Set(ids) };
    const left = () => requireItems(this.#changed(graph, changes, call.signal));
    try {
      await build(this.#dependencies, graph, left, { extract: false, total: null, ...call });
    } catch (error) {
      if (!(error instanceof NothingLoadedError)) throw error;
      throw invalid('ids: no document would be left; delete the graph instead');
    }
  }

  /** Reads the documents when the build holds the lease, so no other change intervenes. */
  async *#changed(
    graph: string,
    changes: DocumentChanges,
    signal: AbortSignal,
  ): AsyncGenerator<PassageDraft | StoredPassage, void, undefined> {
    const exists = (await this.#dependencies.storage.find(graph)) !== null;
    const current = exists ? (await this.#cache.get(graph, signal)).passages.values() : [];
    yield* applyChanges(current, changes);
  }

  importSources(
    graph: string,
    sources: readonly string[],
    options: ImportOptions,
    call: BuildCall,
  ): Promise<ImportResponse> {
    return this.#import(graph, sources.length, options, call, (loading) =>
      this.#loader.sources(sources, loading),
    );
  }

  upload(
    graph: string,
    files: readonly UploadedFile[],
    options: ImportOptions,
    call: BuildCall,
  ): Promise<ImportResponse> {
    return this.#import(graph, files.length, options, call, (loading) =>
      this.#loader.uploads(files, loading),
    );
  }

  async #import(
    graph: string,
    sources: number,
    options: ImportOptions,
    { signal, onProgress }: BuildCall,
    load: (loading: LoadOptions) => AsyncIterable<LoadedDocument>,
  ): Promise<ImportResponse> {
    const counts: ImportCounts = { documents: 0, chunks: 0 };
    const errors: string[] = [];
    const warn = (problem: string): void => {
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
      const { content, warnings } = await build(
        this.#dependencies,
        graph,
        () =>
          requireItems(createImportDrafts(load({ warn, signal, onProgress }), chunking, counts)),
        { extract: options.extract_triplets, total: null, signal, onProgress },
      );
      warnings.forEach(warn);
      return result(true, content.entities, content.relations);
    } catch (error) {
      if (error instanceof NothingLoadedError) return result(false, 0, 0);
      throw error;
    }
  }
}

/** Aborts a build without documents, which leaves the graph unchanged. */
class NothingLoadedError extends Error {}

async function* requireItems<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  let some = false;
  for await (const item of items) {
    some = true;
    yield item;
  }
  if (!some) throw new NothingLoadedError();
}

async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* items;
}

function invalid(detail: string): TroveError {
  return new TroveError('validation_error', detail);
}
