import { token } from '@trove/core/di';
import { messageOf, type Logger } from '@trove/core';
import type { ConnectorStats, JobRecord, JobStatus, MetadataStore } from '@trove/core/store';
import {
  within,
  type CallCounts,
  type ConversionService,
  type EmbeddingService,
  type Gate,
  type GateState,
  type LanguageModelService,
  type LookupCounts,
} from '@trove/runtime';

import type { Generations } from '../../generations/selection/generations.js';
import { answered, type SwitchProgress } from '../../generations/selection/progress.js';
import type { SecondStage } from '../search/second-stage.js';
import type { DiskUse, DiskUseService } from '../../generations/maintenance/disk-use.js';
import { LastingProblem } from '../../generations/maintenance/lasting-problem.js';

/** Counts of objects and chunks are taken from the database no more often than this. */
const countedMs = 15_000;
/** Whoever asks is not kept waiting by a database that hangs. */
const limitMs = 2000;

/** What an engine has done since it was opened, and what it has stored: numbers, for whoever watches it. */
export interface Statistics {
  /** By what they bound: `search`, `grep`, `upload` and `manifest`. */
  readonly gates: Readonly<Record<string, GateState>>;
  /** By kind: `embedding`, and `language_model` and `rerank` if there is one. */
  readonly calls: Readonly<Record<string, CallCounts>>;
  readonly embeddedTexts: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** By cache: `embedding`, `language_model` and `artifact`. */
  readonly lookups: Readonly<Record<string, LookupCounts>>;
  /** Bytes; up to a minute old. */
  readonly disk: DiskUse;
  /** Null while the database does not answer. */
  readonly stored: Stored | null;
}

/** What the database counts. */
export interface Stored {
  /** Up to 15 s old. */
  readonly types: readonly TypeCounts[];
  readonly jobs: Readonly<Partial<Record<JobStatus, number>>>;
  /** The counts of all jobs that are running, together. */
  readonly running: RunningCounts;
  /** Null: everything is indexed with the configured embedder; up to 15 s old. */
  readonly embeddingSwitch: SwitchProgress | null;
}

type Sources = Pick<Stored, 'types' | 'embeddingSwitch'>;

/** The sources of one connector type. */
export interface TypeCounts {
  readonly type: string;
  readonly sources: number;
  readonly objects: number;
  readonly chunks: number;
}

export type RunningCounts = Readonly<
  Record<(typeof counted)[number], number> & { readonly jobs: number; readonly chunks: number }
>;

const counted = ['added', 'changed', 'removed', 'unchanged', 'leftOut', 'failed'] as const;

/** What the numbers are of. */
export interface Counted {
  readonly store: Pick<MetadataStore, 'jobs' | 'sources'>;
  readonly generations: Generations;
  readonly embedding: EmbeddingService;
  readonly llm: LanguageModelService | null;
  readonly secondStage: SecondStage | null;
  readonly conversions: ConversionService;
  readonly gates: Readonly<Record<string, Gate>>;
  readonly diskUse: DiskUseService;
}

/** The token of `StatisticsService` in an engine's container. */
export const StatisticsToken = token<StatisticsService>('engine.statistics');

/** Gathers the numbers; cheap enough to be asked every second. */
export class StatisticsService {
  readonly #counted: Counted;
  readonly #problem: LastingProblem;
  #types: Promise<Sources> | null = null;
  /** Until it ends, no other is begun, however long it hangs. */
  #asking: Promise<Stored | null> | null = null;

  constructor(of: Counted, logger: Logger) {
    this.#counted = of;
    this.#problem = new LastingProblem(logger, {
      begun: 'what is stored cannot be counted',
      over: 'what is stored is counted again',
    });
  }

  async now(): Promise<Statistics> {
    const { embedding, llm, secondStage, conversions, gates, diskUse } = this.#counted;
    const models = llm === null ? {} : { language_model: llm.counts };
    return {
      gates: mapped(gates, ({ state }) => state),
      calls: {
        ...mapped({ embedding: embedding.counts, ...models }, ({ calls }) => calls),
        ...(secondStage === null ? {} : { rerank: secondStage.counts }),
      },
      embeddedTexts: embedding.counts.texts,
      tokens: llm?.counts.tokens ?? { input: 0, output: 0 },
      lookups: {
        ...mapped({ embedding: embedding.counts, ...models }, ({ lookups }) => lookups),
        artifact: conversions.lookups,
      },
      disk: await diskUse.known(),
      stored: await this.#stored(),
    };
  }

  #stored(): Promise<Stored | null> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return within(this.#asking, limitMs, null);
  }

  async #ask(): Promise<Stored | null> {
    const { store } = this.#counted;
    try {
      const [sources, jobs, running] = await Promise.all([
        this.#countedTypes(),
        store.jobs.counts(),
        store.jobs.running(),
      ]);
      this.#problem.is(null);
      return { ...sources, jobs, running: sumOf(running) };
    } catch (error) {
      this.#problem.is(messageOf(error));
      return null;
    }
  }

  /** Counting objects goes through all of them. */
  #countedTypes(): Promise<Sources> {
    if (this.#types === null) {
      this.#types = this.#countTypes();
      const forget = (): void => void (this.#types = null);
      this.#types.then(() => setTimeout(forget, countedMs).unref(), forget);
    }
    return this.#types;
  }

  async #countTypes(): Promise<Sources> {
    const { store, generations } = this.#counted;
    const connectors = await store.sources.list();
    const { stats, progress } = await answered(generations, connectors);
    const types = new Map<string, TypeCounts>();
    for (const { id, type } of connectors)
      types.set(type, added(type, types.get(type), stats.get(id)));
    return { types: [...types.values()], embeddingSwitch: progress };
  }
}

function added(
  type: string,
  before: TypeCounts | undefined,
  stats: ConnectorStats | undefined,
): TypeCounts {
  return {
    type,
    sources: (before?.sources ?? 0) + 1,
    objects: (before?.objects ?? 0) + (stats?.objects ?? 0),
    chunks: (before?.chunks ?? 0) + (stats?.chunks ?? 0),
  };
}

function sumOf(jobs: readonly JobRecord[]): RunningCounts {
  const sum = (key: keyof JobRecord & ((typeof counted)[number] | 'chunks')): number =>
    jobs.reduce((total, job) => total + job[key], 0);
  return {
    jobs: jobs.length,
    added: sum('added'),
    changed: sum('changed'),
    removed: sum('removed'),
    unchanged: sum('unchanged'),
    leftOut: sum('leftOut'),
    failed: sum('failed'),
    chunks: sum('chunks'),
  };
}

function mapped<A, B>(
  values: Readonly<Record<string, A>>,
  map: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
