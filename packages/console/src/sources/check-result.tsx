import type { EstimateResponse, ProbeResponse } from '@trove/client';
import type { JSX } from 'preact';
import { shownName, shownUri } from '../parts/names.js';
import { counted, shownNumber } from '../parts/numbers.js';

interface Props {
  readonly probe: ProbeResponse;
  /** Null if the source cannot be reached. */
  readonly estimate: EstimateResponse | null;
}

/** Whether a source can be reached, and what would be indexed. */
export function CheckResult({ probe, estimate }: Props): JSX.Element {
  return (
    <>
      <p>
        <span class={`badge ${probe.ok ? 'good' : 'bad'}`}>
          {probe.ok ? 'can be reached' : 'cannot be reached'}
        </span>{' '}
        <bdi>{shownUri(probe.target)}</bdi>: {shownName(probe.detail)}
      </p>
      {estimate !== null && (
        <>
          <p>
            About {counted(estimate.objects, 'object')}, {counted(estimate.est_chunks, 'passage')}{' '}
            and {counted(estimate.est_tokens, 'token')} to embed
            {!estimate.complete && ', in the part that could be listed in time'}.
          </p>
          <details>
            <summary>What would be indexed</summary>
            <ul class="top-level">
              {estimate.top_level.map(({ name, is_folder: isFolder, objects }) => (
                <li key={name}>
                  <bdi>{`${shownName(name)}${isFolder ? '/' : ''}`}</bdi>{' '}
                  <span class="soft">{shownNumber(objects)}</span>
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </>
  );
}
