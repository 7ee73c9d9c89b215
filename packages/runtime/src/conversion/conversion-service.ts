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

/** Time limit of a conversion that keeps reporting progress. */
const maxConversionMs = 3_600_000;
/** More than one, so a slow document does not hold up other callers. */
const maxAwaitedProcesses = 2;

export interface ConversionOptions {
  /** Maximum number of processes that convert. */
  readonly processes: number;
  /** Maximum size of one document, and of its Markdown. */
  readonly maxBytes: number;
  /** Number of MiB by which a process may grow during one conversion, or one page of it. Default 1024. */
  readonly growthMiB?: number;
}

export interface ConvertOptions {
  /**
   * Whether a caller waits. Its conversion then does not queue behind background conversions. Default false.
   */
  readonly isAwaited?: boolean;
}

/**
 * Converts documents to Markdown in separate processes, and caches the results by content. Uses the converter
 * of the media type. If that finds no text, uses the converter for scanned documents.
 */
export class ConversionService {
  readonly #environment: PluginEnvironment;
  readonly #artifacts: LimitedArtifactCache;
  /** Maximum size of a document and of its Markdown, in bytes. */
  readonly maxBytes: number;
  readonly #growthMiB: number;
  readonly #mediaTypes: ReadonlySet<string>;
  readonly #awaited: ConversionPools;
  readonly #background: ConversionPools;
  readonly #converters = new Map<string, Promise<OpenedConverter>>();

  constructor(
    environment: PluginEnvironment,
    artifacts: LimitedArtifactCache,
    { processes, maxBytes, growthMiB = 1024 }: ConversionOptions,
  ) {
    this.#environment = environment;
    this.#artifacts = artifacts;
    this.maxBytes = maxBytes;
    this.#growthMiB = growthMiB;
    this.#mediaTypes = new Set(environment.registry.keys('converter'));
    this.#awaited = new ConversionPools(maxAwaitedProcesses, true, growthMiB, environment.logger);
    this.#background = new ConversionPools(processes, false, growthMiB, environment.logger);
  }

  /**
   * Returns the key of the converter for a media type, or null if objects of this type are read unconverted.
   */
  findConverterKey(mediaType: string | null): string | null {
    const essence = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return this.#mediaTypes.has(essence) ? essence : null;
  }

  /** The media types that have a converter. */
  get mediaTypes(): readonly string[] {
    return [...this.#mediaTypes];
  }

  get hasNoConverters(): boolean {
    return this.#mediaTypes.size === 0;
  }

  /**
   * Opens the converters of the media types. Throws `not_available`, or the error of loading or creating a
   * converter.
   */
  async assertAvailable(mediaTypes: readonly string[]): Promise<void> {
    for (const mediaType of mediaTypes) await this.#converter(mediaType);
  }

  /** Returns the converter versions by media type. Omits converters that cannot be loaded. */
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
   * Takes ownership of the document's bytes. Throws `document_encrypted`, `document_damaged`, `document_empty`,
   * `document_too_complex`, or the error of loading a plugin.
   */
  async convert(
    document: DocumentInput,
    signal: AbortSignal,
    { isAwaited = false }: ConvertOptions = {},
  ): Promise<ConvertedDocument> {
    const { mediaType, bytes } = document;
    const pools = isAwaited ? this.#awaited : this.#background;
    const scanned = scannedKeyOf(mediaType);
    if (!this.#mediaTypes.has(scanned))
      return this.#convertWith(mediaType, pools, document, signal);
    try {
      const copy = { mediaType, bytes: bytes.slice() };
      return await this.#convertWith(mediaType, pools, copy, signal);
    } catch (error) {
      if (!isTroveError(error) || error.code !== 'document_empty') throw error;
      return this.#convertWith(scanned, pools, document, signal);
    }
  }

  /** Lookups in the artifact cache. */
  get lookups(): LookupCounts {
    return this.#artifacts.lookups;
  }

  prune(): Promise<void> {
    return this.#artifacts.prune();
  }

  async close(): Promise<void> {
    await Promise.all([this.#awaited.close(), this.#background.close()]);
  }

  async #convertWith(
    key: string,
    pools: ConversionPools,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<ConvertedDocument> {
    const converter = await this.#converter(key);
    const id = await artifactKeyOf(document, converter.version);
    const cached = await this.#artifacts.get(id);
    const decoded = cached === null ? null : readArtifact(cached);
    if (decoded !== null) return decoded;
    // Callers of the same document share one conversion, which is cancelled when the last caller stops waiting.
    const running = pools.running.get(id) ?? this.#start(id, pools, converter, document);
    running.waiting++;
    try {
      const converted = readArtifact(await rejectOnAbort(running.artifact, signal));
      if (converted === null)
        throw new TroveError('internal_error', 'The converted document cannot be decoded');
      return converted;
    } finally {
      running.waiting--;
      if (running.waiting === 0) pools.cancel(id, running);
    }
  }

  #converter(mediaType: string): Promise<OpenedConverter> {
    let opening = this.#converters.get(mediaType);
    if (opening === undefined) {
      opening = openConverter(this.#environment, mediaType);
      this.#converters.set(mediaType, opening);
      opening.catch(() => this.#converters.delete(mediaType));
    }
    return opening;
  }

  #start(
    id: string,
    pools: ConversionPools,
    converter: OpenedConverter,
    document: DocumentInput,
  ): RunningConversion {
    const controller = createAbortController();
    const artifact = this.#convertNew(id, pools, converter, document, controller.signal);
    artifact.catch(() => undefined);
    const running = { artifact, controller, waiting: 0 };
    pools.running.set(id, running);
    return running;
  }

  async #convertNew(
    id: string,
    pools: ConversionPools,
    converter: OpenedConverter,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<Artifact> {
    const { artifact, cacheable } = await this.#run(pools, converter, document, signal);
    if (cacheable) await this.#artifacts.put(id, artifact);
    return artifact;
  }

  async #run(
    pools: ConversionPools,
    { name, guard, workerPlugin, timeoutMs }: OpenedConverter,
    document: DocumentInput,
    signal: AbortSignal,
  ): Promise<ConvertResult> {
    const bytes = this.maxBytes;
    if (workerPlugin === null) {
      return withAnySignal([this.#environment.signal, signal], (either) =>
        runConverter(guard, name, document, { ms: timeoutMs, bytes }, either),
      );
    }
    // The pool enforces the time limit, so the limit inside the process is longer.
    const request = { document, plugin: workerPlugin, limits: { ms: 2 * maxConversionMs, bytes } };
    const pool = timeoutMs > defaultLimitMs ? pools.slow : pools.standard;
    try {
      return await pool.run('convert', request, {
        limitMs: timeoutMs,
        maxTotalMs: maxConversionMs,
        signal,
      });
    } catch (error) {
      throw explainFailure(error, timeoutMs, this.#growthMiB);
    }
  }
}

/** The key of the converter for scanned documents of a media type. */
function scannedKeyOf(mediaType: string): string {
  return `${mediaType};scanned`;
}

/** A process runs one call at a time, so this document ended it. */
function explainFailure(error: unknown, timeoutMs: number, growthMiB: number): unknown {
  if (!isTroveError(error)) return error;
  const { code, cause, retryable } = error;
  if (code === 'timed_out') return tooComplex(`takes longer than ${timeoutMs / 1000} s`, error);
  if (code !== 'internal_error' || !retryable) return error;
  const signal = cause instanceof ProcessEndedError ? cause.signal : null;
  if (signal === 'SIGABRT') return needsMoreMemory(heapMiB, error);
  if (signal === 'SIGKILL') return needsMoreMemory(growthMiB, error);
  return new TroveError('document_damaged', `The conversion failed: ${error.detail}`, {
    cause,
  });
}

function needsMoreMemory(mebibytes: number, cause: TroveError): TroveError {
  return tooComplex(`needs more than ${mebibytes} MiB of memory`, cause);
}

function tooComplex(problem: string, cause: TroveError): TroveError {
  return new TroveError('document_too_complex', `The conversion ${problem}`, { cause });
}

/** Computes the hash off the main thread. */
async function artifactKeyOf(
  { bytes, mediaType }: DocumentInput,
  version: string,
): Promise<string> {
  const hash = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
  return createHash('sha256').update(`${mediaType}\0${version}\0`).update(hash).digest('hex');
}
