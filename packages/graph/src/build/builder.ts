import { setImmediate } from 'node:timers/promises';
import { TroveError, type Logger } from '@trove/core';
import type { GraphContent } from '@trove/core/store';
import { sectionOf } from '../identity/section.js';
import { titleOf } from '../identity/title.js';
import type { GraphModels } from '../model/model.js';
import type { GraphStorage } from '../storage/graph-storage.js';
import type { StoredPassage } from '../storage/passage.js';
import type { Staging } from '../storage/staging.js';
import type { BuildProgress, RunningBuilds } from './running-builds.js';
import { PassageIds, type PassageDraft } from './draft.js';
import { Extractor } from './extractor.js';
import { cleanTriplets } from './triplets.js';

/** Passages in a batch, enough to keep a language model busy. */
const maxBatchPassages = 32;
/** Ends a batch early, because whole documents can be long. */
const minBatchChars = 4 * 1024 * 1024;
/** Ends a batch early, because a passage may have many triplets. */
const minBatchTriplets = 1000;
const maxPassages = 500_000;
const maxChars = 256 * 1024 * 1024;
const maxWarnings = 100;
const heartbeatMs = 10_000;

export interface BuildOptions {
  readonly extract: boolean;
  /** Number of drafts; null if unknown. */
  readonly total: number | null;
  readonly signal: AbortSignal;
  /** Called regularly during the build. */
  readonly onProgress?: (() => void) | undefined;
}

export interface BuildResult {
  readonly content: GraphContent;
  /** Ids of the passages, in the order of the drafts. */
  readonly ids: readonly string[];
  /** Warnings for the caller, at most 100. */
  readonly warnings: readonly string[];
}

/** The dependencies of a build. */
export interface BuildDependencies {
  readonly storage: GraphStorage;
  readonly models: GraphModels;
  readonly maxTokens: number;
  readonly builds: RunningBuilds;
  readonly logger: Logger;
}

/**
 * Replaces a graph with drafts and unchanged passages. Leaves the graph unchanged on failure. Throws `graph_busy` and
 * `payload_too_large`.
 */
export async function build(
  dependencies: BuildDependencies,
  graph: string,
  drafts: (warn: (problem: string) => void) => AsyncIterable<PassageDraft | StoredPassage>,
  options: BuildOptions,
): Promise<BuildResult> {
  const warnings: string[] = [];
  const warn = (problem: string): void => {
    if (warnings.length < maxWarnings) warnings.push(problem);
  };
  const extractor = new Extractor(
    dependencies.models,
    dependencies.maxTokens,
    dependencies.logger,
    warn,
  );
  const work = new BuildWork(extractor, options, warn);
  const { storage, builds } = dependencies;
  const { total, signal, onProgress } = options;
  // A document or an answer may take minutes, and each has its own time limit.
  const heartbeat = setInterval(() => onProgress?.(), heartbeatMs).unref();
  try {
    const content = await storage.rebuild(graph, signal, (staging) =>
      builds.track(graph, total, (progress) => work.run(drafts(warn), staging, progress)),
    );
    return { content, ids: work.ids, warnings };
  } finally {
    clearInterval(heartbeat);
  }
}

/** One build. */
class BuildWork {
  readonly ids: string[] = [];
  readonly #extractor: Extractor;
  readonly #options: BuildOptions;
  readonly #warn: (problem: string) => void;
  readonly #passageIds = new PassageIds();
  #passages = 0;
  #chars = 0;
  #dropped = 0;

  constructor(extractor: Extractor, options: BuildOptions, warn: (problem: string) => void) {
    this.#extractor = extractor;
    this.#options = options;
    this.#warn = warn;
  }

  async run(
    drafts: AsyncIterable<PassageDraft | StoredPassage>,
    staging: Staging,
    progress: BuildProgress,
  ): Promise<void> {
    let batch: (PassageDraft | StoredPassage)[] = [];
    let chars = 0;
    let triplets = 0;
    for await (const draft of drafts) {
      this.#count(draft);
      batch.push(draft);
      chars += draft.text.length;
      triplets += draft.triplets?.length ?? 0;
      if (batch.length < maxBatchPassages && chars < minBatchChars && triplets < minBatchTriplets)
        continue;
      await this.#add(batch, staging, progress);
      batch = [];
      chars = 0;
      triplets = 0;
    }
    await this.#add(batch, staging, progress);
    this.#extractor.reportWarnings();
    if (this.#dropped > 0) {
      this.#warn(
        `${this.#dropped} triplets were dropped because their subject or object is not a name`,
      );
    }
  }

  async #add(
    drafts: readonly (PassageDraft | StoredPassage)[],
    staging: Staging,
    progress: BuildProgress,
  ): Promise<void> {
    const { signal, onProgress } = this.#options;
    signal.throwIfAborted();
    const named = drafts.map((draft) => ({ draft, id: this.#passageIds.assign(draft) }));
    const passages = await Promise.all(
      named.map(async ({ draft, id }) => {
        const passage = await this.#passage(draft, id);
        progress.passages++;
        onProgress?.();
        return passage;
      }),
    );
    await staging.add(passages, signal);
    this.ids.push(...passages.map(({ id }) => id));
    onProgress?.();
    await setImmediate();
  }

  async #passage(draft: PassageDraft | StoredPassage, id: string): Promise<StoredPassage> {
    if ('origin' in draft) return draft;
    const { metadata, triplets: requested } = draft;
    const text = draft.text.toWellFormed();
    const title = titleOf(metadata, text);
    const extraction =
      requested === null && this.#options.extract
        ? await this.#extractor.extract(
            { title, text: withHeadings(sectionOf(metadata), text) },
            this.#options.signal,
          )
        : { triplets: requested ?? [], origin: 'given' as const };
    const { triplets, dropped } = cleanTriplets(extraction.triplets);
    if (requested !== null) this.#dropped += dropped;
    return { id, title, text, metadata, triplets, origin: extraction.origin };
  }

  #count({ text }: PassageDraft | StoredPassage): void {
    this.#passages++;
    this.#chars += text.length;
    if (this.#passages <= maxPassages && this.#chars <= maxChars) return;
    throw new TroveError(
      'payload_too_large',
      `A graph has at most ${maxPassages} passages and ${maxChars} characters`,
      { suggestions: ['Build several graphs, or import fewer documents.'] },
    );
  }
}

/** Writes the headings above a passage before its text, because they name the topic of its statements. */
function withHeadings(headings: readonly string[], text: string): string {
  const lines = headings.map(
    (heading, level) => `${'#'.repeat(Math.min(level + 1, 6))} ${heading}\n\n`,
  );
  return `${lines.join('')}${text}`;
}
