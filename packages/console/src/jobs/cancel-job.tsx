import type { JobResponse } from '@trove/client';
import type { JSX } from 'preact';
import { Failure } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';

interface Props {
  readonly job: JobResponse;
  readonly onDone: () => void;
}

export function CancelJob({ job, onDone }: Props): JSX.Element {
  const client = useClient();
  const { run, isRunning, error } = useAction(onDone);
  return (
    <div class="buttons">
      <button
        type="button"
        disabled={isRunning}
        onClick={() => void run(() => client.ingest.cancelJob({ job_id: job.id }))}
      >
        Cancel
      </button>
      {error !== undefined && <Failure error={error} />}
    </div>
  );
}
