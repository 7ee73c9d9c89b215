import type { JobResponse } from '@trove/client';

import { clearLine, type Sink } from '../terminal/output.js';
import { formatCount, formatDuration, plural } from '../terminal/numbers.js';
import { TimeLeft } from './time-left.js';

const barWidth = 24;
const lineIntervalMs = 5000;
const queueExplanationMs = 5000;

/** Shows a job's progress: a bar on a terminal, an occasional line elsewhere. */
export class JobProgress {
  readonly #err: Sink;
  readonly #started = performance.now();
  #drawn = false;
  #explained = false;
  #warned: string | null = null;
  #lastLine = performance.now();
  readonly #left = new TimeLeft();
  /** When the current phase was first seen. */
  #phase: { readonly name: JobResponse['phase']; readonly since: number } | null = null;

  constructor(err: Sink) {
    this.#err = err;
  }

  async show(job: JobResponse): Promise<void> {
    await this.#warn(job.obstacle);
    if (job.status === 'queued' && job.obstacle === null && job.paused_until === null)
      await this.#explainQueue();
    const now = performance.now();
    if (this.#phase?.name !== job.phase) {
      this.#phase = { name: job.phase, since: now };
      this.#left.reset();
    }
    const text = this.#describe(job, now);
    if (this.#err.isTerminal) await this.#draw(job, text);
    else await this.#line(job, text);
  }

  /** Prints a message without disturbing the bar. */
  async printMessage(text: string): Promise<void> {
    await this.clear();
    await this.#err.line(text);
  }

  /** Removes the bar. */
  async clear(): Promise<void> {
    if (this.#drawn) await this.#err.write(clearLine);
    this.#drawn = false;
  }

  /** How long the current phase has been seen. */
  get #phaseMs(): number {
    return this.#phase === null ? 0 : performance.now() - this.#phase.since;
  }

  /** Describes the time left only after the listing, because the total grows until then. */
  #describe(job: JobResponse, now: number): string {
    const text = describeJob(job, this.#phaseMs);
    if (job.phase !== 'indexing' || job.paused_until !== null) return text;
    const left = this.#left.estimate(doneOf(job), job.total_objects ?? 0, now);
    return left === null ? text : `${text} · about ${formatDuration(left)} left`;
  }

  async #draw(job: JobResponse, described: string): Promise<void> {
    const text = `${renderBar(job)} ${described} · ${formatDuration(performance.now() - this.#started)}`;
    await this.#err.write(clearLine + text.slice(0, Math.max(20, this.#err.columns - 1)));
    this.#drawn = true;
  }

  async #line(job: JobResponse, described: string): Promise<void> {
    if (performance.now() - this.#lastLine < lineIntervalMs) return;
    this.#lastLine = performance.now();
    await this.#err.line(`${job.status}: ${described}`);
  }

  /** Prints each new warning once, because the bar has no room for it. Also prints that a warning is over. */
  async #warn(obstacle: JobResponse['obstacle']): Promise<void> {
    const code = obstacle?.code ?? null;
    if (code === this.#warned) return;
    this.#warned = code;
    await this.printMessage(
      obstacle === null
        ? 'There is enough disk space again.'
        : `warning: ${obstacle.code}: ${this.#err.safe(obstacle.detail)}`,
    );
  }

  async #explainQueue(): Promise<void> {
    if (this.#explained || performance.now() - this.#started < queueExplanationMs) return;
    this.#explained = true;
    await this.printMessage(
      'Waiting for a worker. Other jobs run first, or no worker is running (start one with `trove-server worker`).',
    );
  }
}

/** Renders a bar that stays below 100 % until the job ends. */
function renderBar(job: JobResponse): string {
  const total = job.total_objects ?? 0;
  const share = total === 0 || job.phase === 'listing' ? 0 : Math.min(1, doneOf(job) / total);
  const full = Math.min(barWidth - 1, Math.floor(share * barWidth));
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}]`;
}

/** Formats the time without the date, because it is within the next hour. */
function formatTime(moment: string): string {
  return new Date(moment).toLocaleTimeString('en-GB');
}

function describeJob(job: JobResponse, phaseMs: number): string {
  const full = job.obstacle?.code === 'disk_full' ? ['the disk is full'] : [];
  const pause =
    typeof job.paused_until === 'string'
      ? [`the source asks to wait until ${formatTime(job.paused_until)}`]
      : [];
  if (job.status === 'queued') return full[0] ?? pause[0] ?? 'waiting for a worker';
  const all = plural(job.total_objects, 'object');
  const done = formatCount(doneOf(job));
  const parts = [plural(job.chunks, 'chunk')];
  switch (job.phase) {
    case 'listing':
      parts.unshift(`listing objects: ${all} so far, ${done} done`);
      break;
    case 'summarizing':
      parts.unshift(`${all} done`, `${plural(job.summaries, 'summary', 'summaries')} written`);
      break;
    case 'optimizing':
      parts.unshift(`${all} done`, `optimizing the index (${formatDuration(phaseMs)} so far)`);
      break;
    default:
      parts.unshift(`${done}/${all}`);
  }
  parts.push(...pause);
  if ((job.failed_objects ?? 0) > 0) parts.push(`${formatCount(job.failed_objects)} failed`);
  return [...full, ...parts].join(' · ');
}

function doneOf(job: JobResponse): number {
  return (
    (job.succeeded_objects ?? 0) +
    (job.failed_objects ?? 0) +
    (job.cancelled_objects ?? 0) +
    (job.skipped_objects ?? 0)
  );
}
