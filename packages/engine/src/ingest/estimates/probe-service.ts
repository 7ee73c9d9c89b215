import { inject, injectable, createToken } from '@trove/core/di';
import { isTroveError, messageOf, type Entry, type Infer } from '@trove/core';
import { Gate } from '@trove/runtime';
import { CallerPoolToken, type ComputePool } from '../../content/compute/compute-pool.js';
import { ContentsToken, type Contents } from '../../content/contents.js';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import { ObjectPlannerToken, type ObjectPlanner } from '../../sources/objects/object-plan.js';
import { SettingsToken } from '../../tokens.js';
import {
  type probeRequestSchema,
  type EstimateResponse,
  type ProbeResponse,
} from '../../api/schemas.js';
import type { MeasureResult } from '../../content/compute/messages.js';
import { likelyMediaType } from '../../sources/objects/stated-type.js';
import { countThreadChunks } from '../../content/chunking/index.js';
import { chunkRecords } from '../../content/record-chunks.js';
import type { RecordContent } from '../../content/record-content.js';
import { groupName, messageText } from '../../content/record-values.js';
import type { EngineSettings } from '../../settings.js';
import type { GuardedConnector } from '../../sources/connectors/guarded-connector.js';
import type { SourceHealth } from '../../sources/connectors/source-health.js';
import { withTemporaryConnector } from './temporary-connector.js';
import { TopLevelCounts } from './top-level.js';

/** Each probe opens its own connector, with a thread or a connection. */
const maxProbes = 8;
/** Each estimate lists a whole source and splits a sample into chunks. */
const maxEstimates = 2;
const maxSamplesPerType = 25;
/** Limits the records of one object. More would take minutes. */
const maxRecords = 1_000_000;
const charsPerToken = 4;
/** The type of objects that a rule or a limit leaves out. */
const skipped = 'skipped';
/** A costly source is listed no longer than this. */
const maxCostlyListingMs = 10_000;
/** Unreadable objects count as empty. These errors are not about an object, so they are thrown. */
const engineErrors: ReadonlySet<string> = new Set(['engine_closed', 'overloaded']);

/** Totals for the objects of one type, and a sample of them. */
interface TypeSample {
  objects: number;
  bytes: number;
  readonly sample: Entry[];
}

/** The token of `ProbeService` in an engine's container. */
export const ProbeToken = createToken<ProbeService>('engine.probe');

/** Examines a source before its registration: whether it is reachable, and how large it is. */
@injectable()
export class ProbeService {
  readonly #probes = new Gate(maxProbes);
  readonly #estimates = new Gate(maxEstimates);
  readonly #connectors: Connectors;
  readonly #pool: ComputePool;
  readonly #settings: EngineSettings;
  readonly #planner: ObjectPlanner;
  readonly #contents: Contents;

  constructor(
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(CallerPoolToken) pool: ComputePool,
    @inject(SettingsToken) settings: EngineSettings,
    @inject(ObjectPlannerToken) planner: ObjectPlanner,
    @inject(ContentsToken) contents: Contents,
  ) {
    this.#connectors = connectors;
    this.#pool = pool;
    this.#settings = settings;
    this.#planner = planner;
    this.#contents = contents;
  }

  async probe(
    request: Infer<typeof probeRequestSchema>,
    signal: AbortSignal,
  ): Promise<ProbeResponse> {
    const check = () =>
      withTemporaryConnector(this.#connectors, request, async ({ target, connector }) => {
        const health = await connector.check(signal).catch((error: unknown) => {
          signal.throwIfAborted();
          return healthOfFailure(error);
        });
        const { ok, detail, code, retryAfterMs: retry_after_ms } = health;
        return { target: target.rootUri, type: target.scheme, ok, detail, code, retry_after_ms };
      });
    return this.#probes.run(signal, check);
  }

  /** Reads a sample of each type of object and extrapolates. */
  async estimate(
    request: Infer<typeof probeRequestSchema>,
    signal: AbortSignal,
  ): Promise<EstimateResponse> {
    const measure = () =>
      withTemporaryConnector(this.#connectors, request, async ({ target, connector }) => {
        const { since } = request;
        if (since !== null) await connector.assertListsSince(since, signal);
        const { types, topLevel, complete } = await this.#sampleTypes(connector, since, signal);
        const totals = { objects: 0, sampled_objects: 0, est_chunks: 0, est_tokens: 0 };
        for (const [key, type] of types) {
          if (key === skipped) continue;
          const { chunks, chars, share } = await this.#read(connector, type, signal);
          totals.objects += type.objects;
          totals.sampled_objects += type.sample.length;
          totals.est_chunks += Math.round(chunks / share);
          totals.est_tokens += Math.round(chars / share / charsPerToken);
        }
        const top_level = topLevel.entries();
        return { target: target.rootUri, type: target.scheme, ...totals, complete, top_level };
      });
    return this.#estimates.run(signal, measure);
  }

  /** Lists the source and samples each type of object. `complete` is false if a costly listing took too long. */
  async #sampleTypes(
    connector: GuardedConnector,
    since: string | null,
    signal: AbortSignal,
  ): Promise<{ types: Map<string, TypeSample>; topLevel: TopLevelCounts; complete: boolean }> {
    const types = new Map<string, TypeSample>();
    const topLevel = new TopLevelCounts();
    const planOf = await this.#planner.plannerOf(connector);
    const { costlyListing } = await connector.capabilities(signal);
    const deadline = costlyListing ? performance.now() + maxCostlyListingMs : Infinity;
    let complete = true;
    let seen = 0;
    for await (const entry of connector.list({ signal, ...(since === null ? {} : { since }) })) {
      seen++;
      const indexable = planOf(entry).refusal === null;
      topLevel.add(entry.path, indexable);
      const key = indexable
        ? (entry.kind ?? likelyMediaType(entry, entry.path) ?? extensionOf(entry.path))
        : skipped;
      const type = types.get(key) ?? { objects: 0, bytes: 0, sample: [] };
      types.set(key, type);
      type.objects++;
      type.bytes += entry.size ?? 0;
      if (!indexable) continue;
      // Reservoir sampling: every object of a type is equally likely to be read.
      const place =
        type.sample.length < maxSamplesPerType
          ? type.sample.length
          : Math.floor(Math.random() * type.objects);
      if (place < maxSamplesPerType) type.sample[place] = entry;
      complete = performance.now() < deadline;
      if (!complete) break;
    }
    return { types: seen === 0 ? new Map() : types, topLevel, complete };
  }

  /** Reads the sample. Returns its totals and its share of the type. */
  async #read(
    connector: GuardedConnector,
    type: TypeSample,
    signal: AbortSignal,
  ): Promise<{ chunks: number; chars: number; share: number }> {
    let chunks = 0;
    let chars = 0;
    for (const entry of type.sample) {
      const measured = await this.#measure(connector, entry, signal);
      chunks += measured.chunks;
      chars += measured.chars;
    }
    const bytes = type.sample.reduce((sum, { size }) => sum + (size ?? 0), 0);
    const share = bytes > 0 ? bytes / type.bytes : type.sample.length / type.objects;
    return { chunks, chars, share: share > 0 ? share : 1 };
  }

  async #measure(
    connector: GuardedConnector,
    entry: Entry,
    signal: AbortSignal,
  ): Promise<MeasureResult> {
    const { chunkChars, maxFileBytes } = this.#settings;
    const planOf = await this.#planner.plannerOf(connector);
    const { chunkMax } = planOf(entry);
    try {
      const content = await this.#contents.open(connector, entry, 'reads', signal);
      if (content.form === 'records') return await measureRecords(content, chunkChars, chunkMax);
      const held = await content.bytes(maxFileBytes);
      if (held === null) return { chunks: 0, chars: 0 };
      const request = { object: held.object, chunkChars, chunkMax };
      return await this.#pool.run('measure', request, { signal }).finally(held.release);
    } catch (error) {
      if (isTroveError(error) && engineErrors.has(error.code)) throw error;
      signal.throwIfAborted();
      return { chunks: 0, chars: 0 };
    }
  }
}

/** Returns the health of a source whose check failed. */
function healthOfFailure(
  error: unknown,
): Record<'code' | 'detail', string> & Pick<SourceHealth, 'ok' | 'retryAfterMs'> {
  const isCoded = isTroveError(error);
  return {
    ok: false,
    detail: messageOf(error),
    code: isCoded ? error.publicCode : 'connector_unhealthy',
    retryAfterMs: (isCoded ? error.retryAfterMs : undefined) ?? null,
  };
}

async function measureRecords(
  content: RecordContent,
  chunkChars: number,
  chunkMax: number,
): Promise<MeasureResult> {
  let chunks = 0;
  let chars = 0;
  let records = 0;
  const groups = new Map<string, number[]>();
  for await (const { record, texts } of chunkRecords(content, chunkChars)) {
    if (++records > maxRecords) break;
    let recordChunks = 0;
    for (const text of texts) {
      if (++recordChunks > chunkMax) break;
      chars += text.length;
    }
    const group = groupName(record, content.rule);
    if (group === null) chunks += recordChunks;
    else {
      const lengths = groups.get(group) ?? [];
      groups.set(group, lengths);
      lengths.push(messageText(record, content.rule).length);
    }
  }
  for (const lengths of groups.values())
    chunks += Math.min(chunkMax, countThreadChunks(lengths, chunkChars));
  return { chunks, chars };
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.')) : '';
}
