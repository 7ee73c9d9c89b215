import type { JobResponse } from '@trove/client';
import type { JSX } from 'preact';
import { Age } from '../parts/age.js';
import { shownName, shownUri } from '../parts/names.js';
import { shownNumber } from '../parts/numbers.js';
import { duration } from '../parts/times.js';
import { hrefOf } from '../route.js';
import { usePermissions } from '../session-context.js';
import { CancelJob } from './cancel-job.js';
import { JobProblems } from './job-problems.js';

interface Props {
  readonly job: JobResponse;
  /** Whether to name the source of the job. */
  readonly showsSource: boolean;
  readonly onDone: () => void;
}

const looks: Readonly<Record<string, string>> = {
  succeeded: 'good',
  partial: 'busy',
  running: 'busy',
  failed: 'bad',
};
const counts = [
  ['added', 'added'],
  ['changed', 'changed'],
  ['removed', 'removed'],
  ['unchanged', 'unchanged'],
  ['left_out', 'left out'],
  ['failed_objects', 'failed'],
] as const;

/** A job with its progress, its changes and its problems. */
export function JobView({ job, showsSource, onDone }: Props): JSX.Element {
  const { maySync } = usePermissions();
  const isLive = job.status === 'running' || job.status === 'queued';
  return (
    <li class="card">
      {showsSource && job.target !== null && (
        <h2>
          <a href={hrefOf('source', { root: job.target })}>
            <bdi>{shownUri(job.target)}</bdi>
          </a>
        </h2>
      )}
      <p class="card-facts">
        <span class={`badge ${looks[job.status] ?? ''}`}>{job.status}</span>
        {job.phase !== null && <span>{job.phase}</span>}
        <span class="soft">
          {job.trigger !== null && job.trigger !== 'manual' && `by ${job.trigger}, `}
          <Age time={job.created_at} />
          {job.started_at !== null && `, took ${duration(job.started_at, job.finished_at)}`}
        </span>
        {job.paused_until !== null && (
          <span class="soft">
            waits for the source until {new Date(job.paused_until).toLocaleTimeString()}
          </span>
        )}
      </p>
      {job.status === 'running' && <Progress job={job} />}
      <p class="card-facts">
        {counts.map(([name, text]) => {
          const count = job[name] ?? 0;
          if (count === 0) return null;
          return (
            <span key={name} class={name === 'failed_objects' ? 'bad-text' : undefined}>
              {shownNumber(count)} {text}
            </span>
          );
        })}
      </p>
      {job.detail !== null && <p class="bad-text">{shownName(job.detail)}</p>}
      {job.obstacle !== null && <p class="bad-text">{shownName(job.obstacle.detail)}</p>}
      <JobProblems job={job} canRetry={maySync && !isLive} onDone={onDone} />
      {maySync && isLive && <CancelJob job={job} onDone={onDone} />}
    </li>
  );
}

function Progress({ job }: { readonly job: JobResponse }): JSX.Element {
  const total = job.total_objects ?? 0;
  const done =
    (job.succeeded_objects ?? 0) + (job.failed_objects ?? 0) + (job.skipped_objects ?? 0);
  return (
    <p class="card-facts">
      <progress
        {...(total === 0 ? {} : { max: total, value: Math.min(done, total) })}
        aria-label="Progress"
      />
      <span class="soft">
        {shownNumber(done)} of {shownNumber(total)}
        {job.phase === 'listing' && ' so far'}
      </span>
    </p>
  );
}
