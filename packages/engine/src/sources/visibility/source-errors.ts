import { isTroveError, TroveError, type ErrorCode } from '@trove/core';
import type { SourceFinder } from '../connectors/source-finder.js';

/** Errors of these codes concern the request, the requested object or the server. A source does not describe itself with them. */
const shownCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'cancelled',
  'density_unsupported',
  'disk_full',
  'document_damaged',
  'document_empty',
  'document_encrypted',
  'document_too_complex',
  'engine_closed',
  'filter_invalid',
  'internal_error',
  'is_directory',
  'locator_not_found',
  'not_supported',
  'object_too_large_for_cat',
  'overloaded',
  'range_unsupported',
  'storage_unavailable',
  'tail_unsupported',
  'timed_out',
  'validation_error',
]);

/** Replaces errors of sources that a caller sees only in part, because their texts may name hidden parts. */
export class SourceErrors {
  readonly #sources: Pick<SourceFinder, 'findUri' | 'findOwner' | 'sees'>;

  constructor(sources: Pick<SourceFinder, 'findUri' | 'findOwner' | 'sees'>) {
    this.#sources = sources;
  }

  /** Runs an operation on a path. */
  async hideIn<T>(path: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw await this.#shown(path, error);
    }
  }

  /** Passes on the pieces of an object at a path. */
  async *hideInPieces<T>(path: string, pieces: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* pieces;
    } catch (error) {
      throw await this.#shown(path, error);
    }
  }

  async #shown(path: string, error: unknown): Promise<unknown> {
    if (!isTroveError(error) || shownCodes.has(error.code)) return error;
    const uri = await this.#sources.findUri(path);
    const owner = await this.#sources.findOwner(uri);
    if (owner === null || this.#sources.sees(owner.rootUri)) return error;
    if (error.code === 'not_found')
      return new TroveError('not_found', `There is nothing at ${uri}`);
    const { code, retryable, retryAfterMs } = error;
    return new TroveError(code, `The source of ${uri} has a problem`, {
      retryable,
      suggestions: ['Ask the administrator of the server, who sees the whole source.'],
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}
