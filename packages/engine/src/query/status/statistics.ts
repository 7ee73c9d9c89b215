import { inject, injectable, createToken } from '@trove/core/di';
import type {
  CallCounts,
  ConversionService,
  EmbeddingService,
  Gate,
  GateState,
  LanguageModelService,
  LookupCounts,
} from '@trove/runtime';

import {
  DiskUseToken,
  type DiskUse,
  type DiskUseService,
} from '../../generations/maintenance/disk-use.js';
import { ConversionsToken, EmbeddingToken, WriterToken } from '../../tokens.js';
import { SecondStageToken, type SecondStage } from '../search/second-stage.js';
import { StoredCountsToken, type StoreStatistics, type StoredCounts } from './stored-counts.js';

/** Counters of an engine since it was opened, and counts of its stored data, for monitoring. */
export interface Statistics {
  /** By operation: `search`, `grep`, `upload` and `manifest`. */
  readonly gates: Readonly<Record<string, GateState>>;
  /** By kind: `embedding` and, if configured, `language_model` and `rerank`. */
  readonly calls: Readonly<Record<string, CallCounts>>;
  readonly embeddedTexts: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** By cache: `embedding`, `language_model` and `artifact`. */
  readonly lookups: Readonly<Record<string, LookupCounts>>;
  /** In bytes; up to a minute old. */
  readonly disk: DiskUse;
  /** Null while the database does not respond. */
  readonly stored: StoreStatistics | null;
}

/** The token of all gates of an engine by what they limit. */
export const GatesToken = createToken<Readonly<Record<string, Gate>>>('engine.gates');

/** The token of `StatisticsService` in an engine's container. */
export const StatisticsToken = createToken<StatisticsService>('engine.statistics');

/** Gathers the statistics. Cheap enough to call every second. */
@injectable()
export class StatisticsService {
  readonly #stored: StoredCounts;
  readonly #embedding: EmbeddingService;
  readonly #llm: LanguageModelService | null;
  readonly #secondStage: SecondStage | null;
  readonly #conversions: ConversionService;
  readonly #gates: Readonly<Record<string, Gate>>;
  readonly #diskUse: DiskUseService;

  constructor(
    @inject(StoredCountsToken) stored: StoredCounts,
    @inject(EmbeddingToken) embedding: EmbeddingService,
    @inject(WriterToken) llm: LanguageModelService | null,
    @inject(SecondStageToken) secondStage: SecondStage | null,
    @inject(ConversionsToken) conversions: ConversionService,
    @inject(GatesToken) gates: Readonly<Record<string, Gate>>,
    @inject(DiskUseToken) diskUse: DiskUseService,
  ) {
    this.#stored = stored;
    this.#embedding = embedding;
    this.#llm = llm;
    this.#secondStage = secondStage;
    this.#conversions = conversions;
    this.#gates = gates;
    this.#diskUse = diskUse;
  }

  async now(): Promise<Statistics> {
    const [embedding, llm, secondStage] = [this.#embedding, this.#llm, this.#secondStage];
    const models = llm === null ? {} : { language_model: llm.counts };
    return {
      gates: mapValues(this.#gates, ({ state }) => state),
      calls: {
        ...mapValues({ embedding: embedding.counts, ...models }, ({ calls }) => calls),
        ...(secondStage === null ? {} : { rerank: secondStage.counts }),
      },
      embeddedTexts: embedding.counts.texts,
      tokens: llm?.counts.tokens ?? { input: 0, output: 0 },
      lookups: {
        ...mapValues({ embedding: embedding.counts, ...models }, ({ lookups }) => lookups),
        artifact: this.#conversions.lookups,
      },
      disk: await this.#diskUse.recent(),
      stored: await this.#stored.now(),
    };
  }
}

function mapValues<A, B>(
  values: Readonly<Record<string, A>>,
  map: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
