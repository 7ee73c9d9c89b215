import type { JSX } from 'preact';
import { Age } from '../parts/age.js';
import { Failure } from '../parts/failure.js';
import { shownName, shownUri } from '../parts/names.js';
import { shownNumber } from '../parts/numbers.js';
import { JobView } from '../jobs/job-view.js';
import { RecordFields } from '../read/record-table.js';
import { readHref } from '../read/read-href.js';
import { hrefOf } from '../route.js';
import { useClient, usePermissions } from '../session-context.js';
import type { PageProps } from '../shell/pages.js';
import { useLoaded } from '../use-loaded.js';
import { NextSync } from './next-sync.js';
import { PlannedRequests } from './planned-requests.js';
import { ScheduleForm } from './schedule-form.js';
import { SourceActions } from './source-actions.js';
import { SourceRules } from './source-rules.js';
import { SourceState } from './source-state.js';

const everyMs = 3000;
const maxJobs = 30;

/** A source with its configuration and its jobs. */
export function SourcePage({ params }: PageProps): JSX.Element {
  const client = useClient();
  const { mayManage, seesAll } = usePermissions();
  const root = params.get('root') ?? '';
  const status = useLoaded((signal) => client.server.status({ signal }), [], { everyMs });
  const jobs = useLoaded(
    (signal) => client.ingest.listJobs({ target: root, limit: maxJobs }, { signal }),
    [root],
    { everyMs },
  );
  const source = status.value?.connectors.find(({ root_uri: uri }) => uri === root);
  const reload = (): void => {
    status.reload();
    jobs.reload();
  };
  return (
    <div class="page">
      <nav class="trail" aria-label="Path">
        <a href={hrefOf('sources')}>Sources</a>
      </nav>
      <h1>
        <bdi>{shownUri(root)}</bdi>
      </h1>
      {status.error !== undefined && <Failure error={status.error} />}
      {status.value !== undefined && source === undefined && (
        <p class="notice">
          This source is not registered{!seesAll && ', or your token does not see it'}.
        </p>
      )}
      {source !== undefined && (
        <>
          <dl class="facts">
            <dt>State</dt>
            <dd>
              <SourceState source={source} /> {source.detail !== null && shownName(source.detail)}
            </dd>
            <dt>Last sync</dt>
            <dd>
              {source.last_synced_at === null ? 'none yet' : <Age time={source.last_synced_at} />}
            </dd>
            <dt>Schedule</dt>
            <dd class="card-facts">
              {source.next_sync_at === null &&
                source.failing_since === null &&
                !source.paused &&
                'none'}
              <NextSync source={source} />
            </dd>
            <dt>Objects</dt>
            <dd>{shownNumber(source.object_count)}</dd>
            <dt>Passages</dt>
            <dd>{shownNumber(source.chunk_count)}</dd>
            <dt>Watched</dt>
            <dd>{watchText(source.watch)}</dd>
          </dl>
          <div class="buttons">
            <a class="button" href={readHref(root)}>
              Read
            </a>
            <a class="button" href={hrefOf('search', { path: root })}>
              Search
            </a>
            <SourceActions source={source} onDone={reload} />
          </div>
          <Configuration root={root} onDone={reload} />
          {mayManage && <PlannedRequests root={root} />}
          <h2>Syncs</h2>
          {jobs.error !== undefined && <Failure error={jobs.error} />}
          {jobs.value?.length === 0 && (
            <p class="soft">
              {seesAll
                ? 'This source has not been synced yet.'
                : 'Your token sees the syncs only of sources that it sees as a whole.'}
            </p>
          )}
          <ul class="cards">
            {(jobs.value ?? []).map((job) => (
              <JobView key={job.id} job={job} showsSource={false} onDone={reload} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function watchText(watch: { by: string; every_seconds: number | null } | null): string {
  if (watch === null) return 'no';
  return watch.every_seconds === null ? 'yes' : `every ${watch.every_seconds} s`;
}

interface ConfigurationProps {
  readonly root: string;
  readonly onDone: () => void;
}

/** The schedule of a source, and its configuration, in which secrets are hidden. */
function Configuration({ root, onDone }: ConfigurationProps): JSX.Element {
  const client = useClient();
  const { mayManage, seesAll } = usePermissions();
  const { value, error, reload } = useLoaded(
    (signal) => client.connectors.inspectConnector({ target: root }, { signal }),
    [root],
  );
  const reloadBoth = (): void => {
    reload();
    onDone();
  };
  const given = value?.['config'];
  const config = Object.fromEntries(
    typeof given === 'object' && given !== null ? Object.entries(given) : [],
  );
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {mayManage && (
        <>
          <details class="section">
            <summary>Schedule</summary>
            {value !== undefined && (
              <ScheduleForm root={root} config={config} onDone={reloadBoth} />
            )}
          </details>
          <details class="section">
            <summary>Rules</summary>
            {value !== undefined && <SourceRules root={root} config={config} onDone={reloadBoth} />}
          </details>
        </>
      )}
      <details class="section">
        <summary>Configuration</summary>
        {Object.keys(config).length === 0 ? (
          <p class="soft">
            {seesAll
              ? 'The source uses the defaults.'
              : 'The source uses the defaults, or your token sees only a part of it.'}
          </p>
        ) : (
          <RecordFields record={config} />
        )}
      </details>
    </>
  );
}
