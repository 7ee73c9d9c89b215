import type { JSX } from 'preact';
import { Failure } from '../parts/failure.js';
import { useClient, usePermissions } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { JobView } from './job-view.js';

const everyMs = 2000;
const maxJobs = 50;

/** The jobs of all sources, live ones first. */
export function ActivityPage(): JSX.Element {
  const client = useClient();
  const { seesAll } = usePermissions();
  const { value, error, reload } = useLoaded(
    (signal) => client.ingest.listJobs({ limit: maxJobs }, { signal }),
    [],
    { everyMs },
  );
  const jobs = value ?? [];
  const live = jobs.filter(({ status }) => status === 'running' || status === 'queued');
  const ended = jobs.filter((job) => !live.includes(job));
  return (
    <div class="page">
      <h1>Activity</h1>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <p class="soft">Reading …</p>}
      {value !== undefined && (
        <>
          {!seesAll && (
            <p class="soft">Your token sees the jobs of sources that it sees as a whole.</p>
          )}
          <h2>Now</h2>
          {live.length === 0 && <p class="soft">No job is running.</p>}
          <ul class="cards">
            {live.map((job) => (
              <JobView key={job.id} job={job} showsSource onDone={reload} />
            ))}
          </ul>
          <h2>Earlier</h2>
          {ended.length === 0 && <p class="soft">No job has ended yet.</p>}
          <ul class="cards">
            {ended.map((job) => (
              <JobView key={job.id} job={job} showsSource onDone={reload} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
