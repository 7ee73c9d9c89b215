import type { JobResponse } from '@trove/client';
import type { JSX } from 'preact';
import { shownName } from '../parts/names.js';
import { counted } from '../parts/numbers.js';

/** The failed and left out objects of a job with their reasons. */
export function JobProblems({ job }: { readonly job: JobResponse }): JSX.Element {
  const { failures, left_out_reasons: reasons, left_out: leftOut, warnings } = job;
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
                <bdi class="path">{shownName(path)}</bdi>: {shownName(error)}
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
