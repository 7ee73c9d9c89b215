import { isTroveError, type JobOutcome, type JobRecord, type Problem } from '@trove/core';

/** Tasks that processes die with fail alone; the larger number is too many even so. */
const deathsBorne = 3;
const deathsWithTasksBorne = 6;

export const cancelled: JobOutcome = {
  status: 'cancelled',
  problem: { code: 'cancelled', detail: 'It was cancelled; what was finished is kept' },
};

export function failed(problem: Problem): JobOutcome {
  return { status: 'failed', problem };
}

export function outcomeOf(job: JobRecord): JobOutcome {
  return { status: job.failed > 0 ? 'partial' : 'succeeded', problem: null };
}

export function problemOf(error: unknown): Problem {
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
  return { code: isTroveError(error) ? error.code : 'internal_error', detail };
}

/** What failed while a source was listed speaks of the source. */
export function listingProblem(error: unknown): Problem {
  const { code, detail } = problemOf(error);
  const isOfSource = isTroveError(error) && code !== 'timed_out';
  return { code: isOfSource ? code : 'connector_unhealthy', detail };
}

/** Why a job that processes die with is set aside, null while it is not, or it is an object of it that they die with. */
export function tooManyDeaths({ deaths, listed }: JobRecord, openTasks: number): Problem | null {
  const inTasks = listed && openTasks > 0;
  if (deaths < (inTasks ? deathsWithTasksBorne : deathsBorne)) return null;
  const work = inTasks ? 'indexed its objects' : listed ? 'ended the job' : 'listed the source';
  return { code: 'process_died', detail: `The process ended ${deaths} times while it ${work}` };
}
