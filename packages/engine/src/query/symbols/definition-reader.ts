import { inject, injectable, createToken } from '@trove/core/di';
import { CallerPoolToken, type ComputePool } from '../../content/compute/compute-pool.js';
import { ContentsToken, type Contents } from '../../content/contents.js';
import type { NamedDefinition } from '../../content/chunking/index.js';
import { SourceFinderToken, type SourceFinder } from '../../sources/connectors/source-finder.js';
import { SourceTreeToken, type SourceTree } from '../../sources/connectors/source-tree.js';

/** Larger objects are not source code that people have written. */
const maxBytes = 4 * 1024 * 1024;
const limitMs = 5000;

/** A definition with the object that contains it. */
export interface FoundDefinition extends NamedDefinition {
  /** URI of the object. */
  readonly source: string;
  /** Path of the object below the root of its source. */
  readonly path: string;
}

/** The token of `DefinitionReader` in an engine's container. */
export const DefinitionReaderToken = createToken<DefinitionReader>('engine.definition_reader');

/** Reads the definitions of a name from the current text of an object. */
@injectable()
export class DefinitionReader {
  readonly #sources: SourceFinder;
  readonly #tree: SourceTree;
  readonly #contents: Contents;
  readonly #pool: ComputePool;

  constructor(
    @inject(SourceFinderToken) sources: SourceFinder,
    @inject(SourceTreeToken) tree: SourceTree,
    @inject(ContentsToken) contents: Contents,
    @inject(CallerPoolToken) pool: ComputePool,
  ) {
    this.#sources = sources;
    this.#tree = tree;
    this.#contents = contents;
    this.#pool = pool;
  }

  /** Returns the definitions of a name in an object. Returns none for an object that cannot be read. */
  async read(source: string, name: string, signal: AbortSignal): Promise<FoundDefinition[]> {
    try {
      return await this.#read(source, name, signal);
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }

  async #read(source: string, name: string, signal: AbortSignal): Promise<FoundDefinition[]> {
    const location = await this.#sources.locate(source);
    const entry = await this.#tree.stat(location, signal);
    if (entry === null || entry.kind === 'directory') return [];
    const content = await this.#contents.open(location.connector, entry, 'reads', signal);
    if (content.form === 'records') return [];
    const held = await content.bytes(maxBytes);
    if (held === null) return [];
    const request = { object: held.object, name };
    const { definitions } = await this.#pool
      .run('named', request, { limitMs, signal })
      .finally(held.release);
    return definitions.map((each) => ({ ...each, source, path: location.path }));
  }
}
