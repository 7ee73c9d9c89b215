import { isTroveError, messageOf, type TroveError } from '@trove/core';
import type { JobOutcome, JobRecord, MetadataStore, Problem } from '@trove/core/store';
import type { SummaryOutcome } from '../summaries/tally.js';

const processDied = 'process_died';
const listingIncomplete = 'listing_incomplete';
const maxFailuresRead = 10_000;
const maxDeaths = 3;
/** An object that kills processes fails alone after five deaths. A source with many of them is given up. */
const maxDeathsWithTasks = 9;
const maxFatalObjects = 5;

export const cancelledOutcome: JobOutcome = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'The job was cancelled. Finished objects are kept.' },
};

export function failedOutcome(problem: Problem): JobOutcome {
  return { status: 'failed', problem };
}

/** Returns the outcome of a job whose tasks are all done. */
export function outcomeOf({ problem, failed: objects }: JobRecord): JobOutcome {
  const whole = problem === null || problem.code === listingIncomplete;
  if (!whole) return { status: 'failed', problem };
  return { status: problem !== null || objects > 0 ? 'partial' : 'succeeded', problem };
}

/** Adds the outcome of summaries. Failed summaries turn a succeeded job into a partial one. */
export function withSummaries(outcome: JobOutcome, summaries: SummaryOutcome | null): JobOutcome {
  if (summaries === null) return outcome;
  const { missing: summariesMissing, failures, warnings } = summaries;
  const isPartial = outcome.status === 'succeeded' && failures.length > 0;
  const status = isPartial ? 'partial' : outcome.status;
  return { ...outcome, status, failures, warnings, summariesMissing };
}

export function problemOf(error: unknown): Problem {
  const detail = messageOf(error).slice(0, 2000);
  return { code: isTroveError(error) ? codeOf(error) : 'internal_error', detail };
}

/** The outcome of a job depends on `listing_incomplete`, so that code is kept. */
function codeOf({ code, publicCode }: TroveError): string {
  return code === listingIncomplete ? code : publicCode;
}

/** Attributes an error while listing to the source. */
export function listingProblem(error: unknown): Problem {
  const { code, detail } = problemOf(error);
  const isOfSource = isTroveError(error) && error.code !== 'timed_out';
  return { code: isOfSource ? code : 'connector_unhealthy', detail };
}

/** Returns why a job that kills processes is set aside. Null to continue, also if single objects are the cause. */
export async function findCrashLoop(
  store: Pick<MetadataStore, 'jobs' | 'tasks'>,
  job: JobRecord,
): Promise<Problem | null> {
  if (job.attempt <= maxDeaths) return null;
  const { deaths, listed } = job;
  const inTasks = listed && (await store.tasks.countOpen(job.id)) > 0;
  if (deaths >= (inTasks ? maxDeathsWithTasks : maxDeaths)) {
    const work = inTasks ? 'indexed its objects' : listed ? 'ended the job' : 'listed the source';
    return crashProblem(`The process ended ${deaths} times while it ${work}`);
  }
  const failures = await store.jobs.failures(job.id, maxFailuresRead);
  const givenUp = failures.filter(({ code }) => code === processDied).length;
  if (givenUp < maxFatalObjects) return null;
  return crashProblem(`The process ended repeatedly while it worked on ${givenUp} of its objects`);
}

function crashProblem(detail: string): Problem {
  return { code: processDied, detail };
}
