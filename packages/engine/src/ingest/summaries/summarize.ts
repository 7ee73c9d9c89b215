import { isTroveError } from '@trove/core';
import type { JobRecord, ObjectRecord, Problem, SummaryRecord } from '@trove/core/store';
import {
  createAbortController,
  TokenBudget,
  anySignal,
  Budget,
  type CombinedSignal,
  type LanguageModelService,
  type Prompt,
} from '@trove/runtime';
import { digest, objectId } from '../../sources/ids.js';
import { problemOf } from '../tasks/job-outcome.js';
import { ObjectGoneError, type TaskSource } from '../tasks/prepare-object.js';
import type { IngestServices } from '../tasks/process-task.js';
import { objectsOf, summariesOf } from '../tasks/catalog-pages.js';
import { buildObjectPrompt } from './object-prompt.js';
import { OpenFolder, type FolderChild } from './open-folder.js';
import { folderPrompt, promptsVersion } from './prompts.js';
import { LeaseLostError, SummaryWriteError, SummaryWriter } from './summary-writer.js';
import { SummaryTally, type SummaryOutcome } from './tally.js';
import { foldersOf, walk } from './walk.js';
import { summaryKindOf } from './summary-kind.js';

/** The number of objects and folders in progress. An image counts as several, because it is held in memory. */
const maxInProgress = 64;
const imageCost = 16;
/** A source cannot be synced again while its summaries are being written. */
const maxHours = 6;
const hourMs = 60 * 60 * 1000;
/** Longer answers are cut. */
const maxSummaryChars = 4000;

/** There is nothing to summarize, so nothing is missing. */
const noSummary = { text: null, isMissing: false } as const;
const missingSummary = { text: null, isMissing: true } as const;

type SummaryResult = Pick<FolderChild, 'text' | 'isMissing'>;

/**
 * Brings the summaries of a source up to date, folders after their items. Asks the model only about changes. Throws errors
 * of the storage and the reason of the signal.
 */
export async function summarize(
  services: IngestServices,
  source: TaskSource,
  job: JobRecord,
  worker: string,
): Promise<SummaryOutcome> {
  const { inputTokens, outputTokens } = job.modelUsage;
  const spent = inputTokens + outputTokens;
  const tokenBudget = new TokenBudget(Math.max(0, services.settings.maxTokensPerJob - spent));
  const { record, signal } = source;
  const context = { services, record, jobId: job.id, worker, tokenBudget, signal };
  const writer = new SummaryWriter(context);
  try {
    await writer.flush();
    return await new Summarizer(services, source, job, tokenBudget, writer).run();
  } catch (error) {
    if (!(error instanceof LeaseLostError)) await writer.recordUsage().catch(() => undefined);
    throw error instanceof SummaryWriteError ? error.cause : error;
  }
}

/** The model receives no further prompts. */
class GiveUpError extends Error {}

class Summarizer {
  readonly #services: IngestServices;
  readonly #source: TaskSource;
  readonly #job: JobRecord;
  readonly #tokenBudget: TokenBudget;
  readonly #writer: SummaryWriter;
  readonly #slots = new Budget(maxInProgress);
  readonly #tally: SummaryTally;
  readonly #open: OpenFolder[] = [];
  /** Aborts all work when something cannot be stored. */
  readonly #controller = createAbortController();
  readonly #signals: CombinedSignal;
  /** Aborts waiting prompts after giving up. */
  readonly #queueController = createAbortController();

  constructor(
    services: IngestServices,
    source: TaskSource,
    job: JobRecord,
    tokenBudget: TokenBudget,
    writer: SummaryWriter,
  ) {
    this.#services = services;
    this.#signals = anySignal(source.signal, this.#controller.signal);
    this.#source = { ...source, signal: this.#signals.signal };
    this.#job = job;
    this.#tokenBudget = tokenBudget;
    this.#writer = writer;
    this.#tally = new SummaryTally(services.settings.maxTokensPerJob);
  }

  async run(): Promise<SummaryOutcome> {
    const limit = setTimeout(() => this.#stopForTime(), maxHours * hourMs);
    try {
      await this.#visitAll();
    } catch (error) {
      this.#controller.abort(error);
    }
    // No work may continue after the job has ended.
    await this.#slots.acquire(maxInProgress);
    clearTimeout(limit);
    this.#signals.end();
    this.#source.signal.throwIfAborted();
    await this.#writer.flush();
    return this.#tally.outcome();
  }

  #stopForTime(): void {
    this.#tally.stopForTime(`this job has reached its limit of ${maxHours} hours`);
    this.#queueController.abort(new GiveUpError());
  }

  async #visitAll(): Promise<void> {
    const { store } = this.#services;
    const { id } = this.#source.record;
    for await (const { object, summaries } of walk(
      objectsOf(store.objects, id),
      summariesOf(store.summaries, id),
    )) {
      const known = new Map(summaries.map((summary) => [summary.path, summary]));
      if (object !== null) await this.#visit(object, known);
      // The objects of these summaries are gone.
      for (const summary of known.values()) await this.#writer.remove(summary.id);
    }
    while (this.#open.length > 0) await this.#close();
  }

  /** Summarizes an object. Removes its summary, and those of folders that begin with it, from `known`. */
  async #visit(object: ObjectRecord, known: Map<string, SummaryRecord>): Promise<void> {
    const take = (path: string): SummaryRecord | null => {
      const summary = known.get(path) ?? null;
      known.delete(path);
      return summary;
    };
    const folders = foldersOf(object.path);
    while (this.#open.some(({ path }, at) => path !== folders[at])) await this.#close();
    for (const path of folders.slice(this.#open.length))
      this.#open.push(new OpenFolder(path, take(path)));
    const own = take(object.path);
    const isImage = object.kind === 'image';
    const done = await this.#begin(isImage ? imageCost : 1, () =>
      this.#summarizeObject(object, own),
    );
    this.#open.at(-1)?.add(object.path, done);
  }

  async #close(): Promise<void> {
    const folder = this.#open.pop();
    if (folder === undefined) return;
    const done = await this.#begin(1, () => this.#summarizeFolder(folder));
    this.#open.at(-1)?.add(folder.path, done);
  }

  /**
   * Starts the work when there is room for it. A folder waits in its slot for its items, which got their slots earlier, so
   * work always progresses.
   */
  async #begin(
    cost: number,
    work: () => Promise<SummaryResult>,
  ): Promise<{ readonly done: Promise<SummaryResult> }> {
    const { signal } = this.#source;
    await this.#slots.acquire(cost, signal);
    const done = work().finally(() => this.#slots.release(cost));
    done.catch((error: unknown) => this.#controller.abort(error));
    return { done };
  }

  async #summarizeObject(
    object: ObjectRecord,
    known: SummaryRecord | null,
  ): Promise<SummaryResult> {
    const { settings, llm } = this.#services;
    const kind = summaryKindOf(object, settings);
    if (kind === null || kind === 'directory_summary' || llm === null)
      return this.#removeSummary(known);
    const state = object.contentHash ?? object.revision;
    // The object is not up to date. The next sync reads it again.
    if (state === null) return { text: known?.text ?? null, isMissing: known === null };
    const revision = digest([promptsVersion, llm.model, kind, state]);
    if (this.#isCurrent(known, revision)) return { text: known.text, isMissing: false };
    return this.#attempt(object.path, known, async () => {
      const prompt = await buildObjectPrompt(this.#services, this.#source, object, kind);
      if (prompt === null) return this.#removeSummary(known);
      const { title, mediaType, modifiedAt } = object;
      const record = { id: object.id, path: object.path, kind, revision };
      return this.#write(llm, prompt, record, { title, mediaType, modifiedAt });
    });
  }

  async #summarizeFolder(folder: OpenFolder): Promise<SummaryResult> {
    const { settings, llm } = this.#services;
    const { path, known } = folder;
    const { parts, others, isMissing } = await folder.contents();
    if (isMissing) return missingSummary;
    // The summary of a folder with one item would repeat the item's summary.
    if (parts.length < 2 || settings.summaries === null || llm === null) {
      await this.#removeSummary(known);
      return { text: parts[0]?.text ?? null, isMissing: false };
    }
    const prompt = folderPrompt(parts, others);
    const revision = digest([promptsVersion, llm.model, prompt.messages]);
    if (this.#isCurrent(known, revision)) return { text: known.text, isMissing: false };
    return this.#attempt(path, known, () => {
      const id = objectId(this.#source.record.id, path);
      const record = { id, path, kind: 'directory_summary', revision } as const;
      return this.#write(llm, prompt, record, { title: null, mediaType: null, modifiedAt: null });
    });
  }

  #isCurrent(known: SummaryRecord | null, revision: string): known is SummaryRecord {
    return known?.revision === revision && !this.#job.full;
  }

  async #removeSummary(known: SummaryRecord | null): Promise<SummaryResult> {
    if (known !== null) await this.#writer.remove(known.id);
    return noSummary;
  }

  async #write(
    llm: LanguageModelService,
    prompt: Prompt,
    record: Omit<SummaryRecord, 'text'>,
    about: Parameters<SummaryWriter['put']>[1],
  ): Promise<SummaryResult> {
    const { id: workId, full: fresh } = this.#job;
    const { signal } = this.#source;
    const tokenBudget = this.#tokenBudget;
    const queueSignal = this.#queueController.signal;
    const answer = await llm.ask(prompt, {
      tokenBudget,
      workId,
      fresh,
      queueSignal,
      signal,
    });
    this.#tally.addSuccess();
    const text = answer.slice(0, maxSummaryChars);
    await this.#writer.put({ ...record, text }, about);
    return { text, isMissing: false };
  }

  /** Records failures, which the next sync retries. Removes outdated summaries. */
  async #attempt(
    path: string,
    known: SummaryRecord | null,
    work: () => Promise<SummaryResult>,
  ): Promise<SummaryResult> {
    const { signal } = this.#source;
    const queueController = this.#queueController;
    try {
      queueController.signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ObjectGoneError) return await this.#removeSummary(known);
      if (error instanceof LeaseLostError || error instanceof SummaryWriteError) throw error;
      if (error instanceof GiveUpError) this.#tally.skip();
      else if (this.#tally.addFailure(path, problemWithAdvice(error)))
        queueController.abort(new GiveUpError());
    }
    await this.#removeSummary(known);
    return missingSummary;
  }
}

/** Includes the first suggestion, because readers of the job see only its problem. */
function problemWithAdvice(error: unknown): Problem {
  const { code, detail } = problemOf(error);
  const [advice] = isTroveError(error) ? error.suggestions : [];
  return {
    code,
    detail: advice === undefined ? detail : `${detail.replace(/\.$/, '')}. ${advice}`,
  };
}
