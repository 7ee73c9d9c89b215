import { createHash, webcrypto } from 'node:crypto';
import { isTroveError, TroveError } from '@trove/core';
import { createAbortController, rejectOnAbort, withAnySignal } from '../abort.js';
import type { LimitedArtifactCache } from '../artifacts/limited-artifact-cache.js';
import type { LookupCounts } from '../services/counts.js';
import type { PluginEnvironment } from '../open-plugins.js';
import { readArtifact, type Artifact, type ConvertedDocument } from './artifact.js';
import { runConverter, type ConvertResult, type DocumentInput } from './convert.js';
import { heapMiB, ConversionPools, type RunningConversion } from './conversion-pools.js';
import { ProcessEndedError } from '../workers/start.js';
import { defaultLimitMs, openConverter, type OpenedConverter } from './open-converter.js';

/** What one conversion gets that goes on. */
const maxConversionMs = 3_600_000;
/** One document that takes its whole time must not keep whoever else waits waiting. */
const maxAwaitedProcesses = 2;

export interface ConversionOptions {
  /** Maximum number of processes that convert. */
  readonly processes: number;
  /** Maximum size of one document, and of its Markdown. */
  readonly maxBytes: number;
  /** MiB by which such a process may grow during one conversion, or one page of it; default 1,024. */
  readonly growthMiB?: number;
}

export interface ConvertOptions {
  /** Whether a caller waits for it, who then does not wait for what is converted in the background. Default: none does. */
  readonly isAwaited?: boolean;
}

/**
 * Turns documents into Markdown: with the converter of their media type and, what that finds empty, with the one for
 * scanned documents; once for the same bytes, in processes of their own.
 */
export class ConversionService {
  readonly #opening: PluginEnvironment;
  readonly #artifacts: LimitedArtifactCache;
  /** Larger documents are not converted, nor what becomes larger. */
  readonly maxBytes: number;
  readonly #growthMiB: number;
  readonly #mediaTypes: ReadonlySet<string>;
  readonly #awaited: ConversionPools;
  readonly #background: ConversionPools;
  readonly #converters = new Map<string, Promise<OpenedConverter>>();

  constructor(
    opening: PluginEnvironment,
    artifacts: LimitedArtifactCache,
    { processes, maxBytes, growthMiB = 1024 }: ConversionOptions,
  ) {
    this.#opening = opening;
    this.#artifacts = artifacts;
    this.maxBytes = maxBytes;
    this.#growthMiB = growthMiB;
    this.#mediaTypes = new Set(opening.registry.keys('converter'));
    this.#awaited = new ConversionPools(maxAwaitedProcesses, true, growthMiB, opening.logger);
    this.#background = new ConversionPools(processes, false, growthMiB, opening.logger);
  }

  /** The converter's key among the types that are converted; null: objects of this type are read as they are. */
  findConverterKey(mediaType: string | null): string | null {
    const essence = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return this.#mediaTypes.has(essence) ? essence : null;
  }

  /** What is converted. */
  get mediaTypes(): readonly string[] {
    return [...this.#mediaTypes];
  }

  /** Whether anything is converted at all. */
  get hasNoConverters(): boolean {
    return this.#mediaTypes.size === 0;
  }

  /** Opens the converters of these types. Throws `not_available`, and what else keeps one from being used. */
  async assertAvailable(mediaTypes: readonly string[]): Promise<void> {
    for (const mediaType of mediaTypes) await this.#converter(mediaType);
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
    for (const [mediaType, version] of versions) {
      const scanned = versions.get(scannedKeyOf(mediaType));
      if (scanned !== undefined) versions.set(mediaType, `${version}, ${scanned}`);
    }
    return versions;
  }

  /**
   * Takes the document's bytes over. Throws `document_encrypted`, `document_damaged`, `document_empty` or
   * `document_too_complex`, and what loading a plugin throws.
   */
  async convert(
    document: DocumentInput,
    signal: AbortSignal,
    { isAwaited = false }: ConvertOptions = {},
  ): Promise<ConvertedDocument> {
    const { mediaType, bytes } = document;
    const lane = isAwaited ? this.#awaited : this.#background;
    const scanned = scannedKeyOf(mediaType);
    if (!this.#mediaTypes.has(scanned)) return this.#convertedBy(mediaType, lane, document, signal);
    try {
      const copy = { mediaType, bytes: bytes.slice() };
      return await this.#convertedBy(mediaType, lane, copy, signal);
    } catch (error) {
      if (!isTroveError(error) || error.code !== 'document_empty') throw error;
      return this.#convertedBy(scanned, lane, document, signal);
    }
  }

  /** In the cache of what was converted. */
  get lookups(): LookupCounts {
    return this.#artifacts.lookups;
  }

  prune(): Promise<void> {
    return this.#artifacts.prune();
  }

  async close(): Promise<void> {
    await Promise.all([this.#awaited.close(), this.#background.close()]);
  }

  async #convertedBy(
    key: string,
    lane: ConversionPools,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<ConvertedDocument> {
    const converter = await this.#converter(key);
    const id = await artifactKeyOf(document, converter.version);
    const kept = await this.#artifacts.get(id);
    const known = kept === null ? null : readArtifact(kept);
    if (known !== null) return known;
    // The same document may be wanted for several reasons; who stops waiting does not stop it for the others.
    const running = lane.running.get(id) ?? this.#start(id, lane, converter, document);
    running.waiting++;
    try {
      const converted = readArtifact(await rejectOnAbort(running.artifact, signal));
      if (converted === null) throw new TroveError('internal_error', 'A conversion is unreadable');
      return converted;
    } finally {
      running.waiting--;
      if (running.waiting === 0) lane.cancel(id, running);
    }
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

  #start(
    id: string,
    lane: ConversionPools,
    converter: OpenedConverter,
    document: DocumentInput,
  ): RunningConversion {
    const controller = createAbortController();
    const artifact = this.#convertNew(id, lane, converter, document, controller.signal);
    artifact.catch(() => undefined);
    const running = { artifact, controller, waiting: 0 };
    lane.running.set(id, running);
    return running;
  }

  async #convertNew(
    id: string,
    lane: ConversionPools,
    converter: OpenedConverter,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<Artifact> {
    const { artifact, cacheable } = await this.#made(lane, converter, document, signal);
    if (cacheable) await this.#artifacts.put(id, artifact);
    return artifact;
  }

  async #made(
    lane: ConversionPools,
    { name, guard, workerPlugin, limitMs }: OpenedConverter,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<ConvertResult> {
    const bytes = this.maxBytes;
    if (workerPlugin === null) {
      return withAnySignal([this.#opening.signal, signal], (either) =>
        runConverter(guard, name, document, { ms: limitMs, bytes }, either),
      );
    }
    // A converter that hangs is given up by its pool; its own guard must not be first.
    const request = { document, plugin: workerPlugin, limits: { ms: 2 * maxConversionMs, bytes } };
    const pool = limitMs > defaultLimitMs ? lane.slow : lane.standard;
    try {
      return await pool.run('convert', request, {
        limitMs,
        maxTotalMs: maxConversionMs,
        signal,
      });
    } catch (error) {
      throw explainFailure(error, limitMs, this.#growthMiB);
    }
  }
}

/** The key of the converter for what the one of a media type finds empty. */
function scannedKeyOf(mediaType: string): string {
  return `${mediaType};scanned`;
}

/** One call at a time is in a process, so what ended the process is this document. */
function explainFailure(error: unknown, limitMs: number, growthMiB: number): unknown {
  if (!isTroveError(error)) return error;
  const { code, cause, retryable } = error;
  if (code === 'timed_out') return tooComplex(`takes longer than ${limitMs / 1000} s`, error);
  if (code !== 'internal_error' || !retryable) return error;
  const signal = cause instanceof ProcessEndedError ? cause.signal : null;
  if (signal === 'SIGABRT') return needsMoreMemory(heapMiB, error);
  if (signal === 'SIGKILL') return needsMoreMemory(growthMiB, error);
  return new TroveError('document_damaged', `Its conversion ended with: ${error.detail}`, {
    cause,
  });
}

function needsMoreMemory(mebibytes: number, cause: TroveError): TroveError {
  return tooComplex(`needs more than ${mebibytes} MiB of memory`, cause);
}

function tooComplex(problem: string, cause: TroveError): TroveError {
  return new TroveError('document_too_complex', `Its conversion ${problem}`, { cause });
}

/** Hashed where other requests do not have to wait for it. */
async function artifactKeyOf(
  { bytes, mediaType }: DocumentInput,
  version: string,
): Promise<string> {
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
  return createHash('sha256').update(`${mediaType}\0${version}\0`).update(hash).digest('hex');
}
