import { createHash, webcrypto } from 'node:crypto';
import { isTroveError, TroveError } from '@trove/core';
import { beforeAbort } from '../abort.js';
import type { Artifacts } from '../artifacts/artifacts.js';
import type { Opening } from '../open-plugins.js';
import { ThreadPool } from '../threads/thread-pool.js';
import { readArtifact, type Artifact, type Converted } from './artifact.js';
import type { ConvertOperations } from './convert-worker.js';
import { convertWith, type ConvertLimits, type ConvertResult, type Document } from './convert.js';
import { openConverter, type OpenedConverter } from './open-converter.js';

/** What one conversion gets. */
const convertMs = 60_000;
const heapMiB = 512;
/** A converter that hangs is given up by its pool; its own guard must not be first. */
const guardMs = 2 * convertMs;

export interface ConversionOptions {
  /** Maximum number of threads that convert. */
  readonly threads: number;
  /** Maximum size of one document, and of its Markdown. */
  readonly maxBytes: number;
}

/** Turns documents into Markdown: with the converter of their media type, once for the same bytes, in threads. */
export class ConversionService {
  readonly #opening: Opening;
  readonly #artifacts: Artifacts;
  /** Larger documents are not converted, nor what becomes larger. */
  readonly maxBytes: number;
  readonly #limits: ConvertLimits;
  readonly #mediaTypes: ReadonlySet<string>;
  readonly #pool: ThreadPool<ConvertOperations>;
  readonly #converters = new Map<string, Promise<OpenedConverter>>();
  readonly #running = new Map<string, Promise<Artifact>>();

  constructor(opening: Opening, artifacts: Artifacts, { threads, maxBytes }: ConversionOptions) {
    this.#opening = opening;
    this.#artifacts = artifacts;
    this.maxBytes = maxBytes;
    this.#limits = { ms: guardMs, bytes: maxBytes };
    this.#mediaTypes = new Set(opening.registry.keys('converter'));
    this.#pool = new ThreadPool({
      module: new URL('./convert-worker.js', import.meta.url),
      setup: {},
      size: threads,
      heapMiB,
      callsPerThread: 1,
      logger: opening.logger,
      movedOf: ({ document }) => [document.bytes.buffer],
    });
  }

  /** The converter's key among the types that are converted; null: objects of this type are read as they are. */
  converted(mediaType: string | null): string | null {
    const essence = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return this.#mediaTypes.has(essence) ? essence : null;
  }

  /** Whether anything is converted at all. */
  get convertsNothing(): boolean {
    return this.#mediaTypes.size === 0;
  }

  /** The versions of all converters by media type; one that cannot be loaded has none. */
  async versions(): Promise<ReadonlyMap<string, string>> {
    const versions = new Map<string, string>();
    for (const mediaType of this.#mediaTypes) {
      try {
        versions.set(mediaType, (await this.#converter(mediaType)).version);
      } catch (error) {
        if (!isTroveError(error)) throw error;
      }
    }
    return versions;
  }

  /**
   * Takes the document's bytes over. Throws `document_encrypted`, `document_damaged`, `document_empty` or
   * `document_too_complex`, and what loading a plugin throws.
   */
  async convert(document: Document, signal: AbortSignal): Promise<Converted> {
    const converter = await this.#converter(document.mediaType);
    const key = await keyOf(document, converter.version);
    const kept = await this.#artifacts.get(key);
    const known = kept === null ? null : readArtifact(kept);
    if (known !== null) return known;
    // The same document may be wanted for several reasons; who stops waiting does not stop it for the others.
    const running = this.#running.get(key) ?? this.#start(key, converter, document);
    const converted = readArtifact(await beforeAbort(running, signal));
    if (converted === null) throw new TroveError('internal_error', 'A conversion is unreadable');
    return converted;
  }

  prune(): Promise<void> {
    return this.#artifacts.prune();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #converter(mediaType: string): Promise<OpenedConverter> {
    let opening = this.#converters.get(mediaType);
    if (opening === undefined) {
      opening = openConverter(this.#opening, mediaType);
      this.#converters.set(mediaType, opening);
      opening.catch(() => this.#converters.delete(mediaType));
    }
    return opening;
  }

  #start(key: string, converter: OpenedConverter, document: Document): Promise<Artifact> {
    const converting = this.#convertNew(key, converter, document).finally(() =>
      this.#running.delete(key),
    );
    this.#running.set(key, converting);
    converting.catch(() => undefined);
    return converting;
  }

  async #convertNew(
    key: string,
    converter: OpenedConverter,
    document: Document,
  ): Promise<Artifact> {
    const { artifact, lasting } = await this.#made(converter, document);
    if (lasting) await this.#artifacts.put(key, artifact);
    return artifact;
  }

  async #made(
    { name, guard, inThread }: OpenedConverter,
    document: Document,
  ): Promise<ConvertResult> {
    if (inThread === null) {
      const limits = { ...this.#limits, ms: convertMs };
      return convertWith(guard, name, document, limits, this.#opening.signal);
    }
    try {
      const request = { document, plugin: inThread, limits: this.#limits };
      return await this.#pool.run('convert', request, { limitMs: convertMs });
    } catch (error) {
      throw blamed(error);
    }
  }
}

/** One call at a time is in a thread, so what ended the thread is this document. */
function blamed(error: unknown): unknown {
  if (!isTroveError(error)) return error;
  const { code, cause, retryable } = error;
  if (code === 'timed_out') return tooComplex(`takes longer than ${convertMs / 1000} s`, error);
  if (code !== 'internal_error' || !retryable) return error;
  const isMemory =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? tooComplex(`needs more than ${heapMiB} MiB of memory`, error)
    : new TroveError('document_damaged', `Its conversion ended with: ${error.detail}`, { cause });
}

function tooComplex(problem: string, cause: TroveError): TroveError {
  return new TroveError('document_too_complex', `Its conversion ${problem}`, { cause });
}

/** Hashed where other requests do not have to wait for it. */
async function keyOf({ bytes, mediaType }: Document, version: string): Promise<string> {
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
  return createHash('sha256').update(`${mediaType}\0${version}\0`).update(hash).digest('hex');
}
