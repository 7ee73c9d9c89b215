import type { JobResponse } from '@trove/client';
import type { JSX } from 'preact';
import { shownName } from '../parts/names.js';
import { counted } from '../parts/numbers.js';
import { RetryObject } from './retry-object.js';

interface Props {
  readonly job: JobResponse;
  /** Whether failed objects can be synced again. */
  readonly canRetry: boolean;
  readonly onDone: () => void;
}

/** The failed and left out objects of a job with their reasons. */
export function JobProblems({ job, canRetry, onDone }: Props): JSX.Element {
  const { target, failures, left_out_reasons: reasons, left_out: leftOut, warnings } = job;
  const failed = job.failed_objects ?? failures.length;
  return (
    <>
      {warnings.length > 0 && (
        <ul>
          {warnings.map((text) => (
            <li key={text}>{shownName(text)}</li>
          ))}
        </ul>
      )}
      {failures.length > 0 && (
        <details>
          <summary>{counted(failed, 'object')} failed. The next sync tries again</summary>
          <ul>
            {failures.map(({ path, error }) => (
              <li key={path}>
                <bdi class="path">{shownName(path)}</bdi>: {shownName(error)}{' '}
                {canRetry && target !== null && <RetryObject {...{ root: target, path, onDone }} />}
              </li>
            ))}
          </ul>
        </details>
      )}
      {reasons.length > 0 && (
        <details>
          <summary>{counted(leftOut, 'object')} left out</summary>
          <ul>
            {reasons.map(({ reason, objects, path }) => (
              <li key={reason}>
                {shownName(reason)}: {counted(objects, 'object')}, such as{' '}
                <bdi class="path">{shownName(path)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
