import { TroveError } from '@trove/core';
import type {
  AddDocumentsRequest,
  AddDocumentsResponse,
  ImportOptions,
  ImportResponse,
} from '../api/schemas.js';
import type { GraphCallOptions } from '../graphs.js';
import type { LoadedDocument, Loader, Note, UploadedFile } from '../sources/documents.js';
import { build, type BuildGround } from './builder.js';
import { documentDrafts } from './document-drafts.js';
import { importDrafts, type ImportCounts } from './import-drafts.js';

const maxErrors = 100;

interface Call {
  readonly signal: AbortSignal;
  readonly onProgress?: GraphCallOptions['onProgress'];
}

/** Builds graphs from whatever callers bring. */
export class BuildService {
  readonly #ground: BuildGround;
  readonly #loader: Loader;

  constructor(ground: BuildGround, loader: Loader) {
    this.#ground = ground;
    this.#loader = loader;
  }

  async addDocuments(
    graph: string,
    request: AddDocumentsRequest,
    { signal, onProgress }: Call,
  ): Promise<AddDocumentsResponse> {
    const drafts = documentDrafts(request);
    const options = { extract: request.extract_triplets, signal, onProgress };
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

  importSources(
    graph: string,
    sources: readonly string[],
    options: ImportOptions,
    call: Call,
  ): Promise<ImportResponse> {
    return this.#import(graph, sources.length, options, call, (note) =>
      this.#loader.sources(sources, note, call.signal),
    );
  }

  upload(
    graph: string,
    files: readonly UploadedFile[],
    options: ImportOptions,
    call: Call,
  ): Promise<ImportResponse> {
    return this.#import(graph, files.length, options, call, (note) =>
      this.#loader.uploads(files, note, call.signal),
    );
  }

  async #import(
    graph: string,
    sources: number,
    options: ImportOptions,
    { signal, onProgress }: Call,
    load: (note: Note) => AsyncIterable<LoadedDocument>,
  ): Promise<ImportResponse> {
    const counts: ImportCounts = { documents: 0, chunks: 0 };
    const errors: string[] = [];
    const note = (problem: string): void => {
      if (errors.length < maxErrors) errors.push(problem);
    };
    const chunking = options.chunk_documents
      ? { size: options.chunk_size, overlap: options.chunk_overlap }
      : null;
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
        () => notEmpty(importDrafts(load(note), chunking, counts)),
        { extract: options.extract_triplets, signal, onProgress },
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

/** `chunk_overlap` depends on another field, which a schema cannot say. */
export function assertOverlap({ chunk_size: size, chunk_overlap: overlap }: ImportOptions): void {
  if (overlap <= size / 2) return;
  const reason = 'must be at most half of chunk_size';
  throw new TroveError('validation_error', `body.chunk_overlap: ${reason}`, {
    violations: [{ at: ['body', 'chunk_overlap'], reason, rule: 'maximum' }],
  });
}
