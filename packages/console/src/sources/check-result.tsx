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
      {estimate !== null && <EstimatedContent estimate={estimate} />}
    </>
  );
}

/** The objects that would be indexed. */
export function EstimatedContent({
  estimate,
}: {
  readonly estimate: EstimateResponse;
}): JSX.Element {
  const { objects, est_chunks, est_tokens, complete, top_level: entries } = estimate;
  const leftOut = entries.reduce((sum, { left_out: count }) => sum + count, 0);
  return (
    <>
      <p>
        About {counted(objects, 'object')}, {counted(est_chunks, 'passage')} and{' '}
        {counted(est_tokens, 'token')} to embed
        {!complete && ', in the part that could be listed in time'}.{' '}
        {leftOut > 0 && `${counted(leftOut, 'object')} would be left out.`}
      </p>
      <details open>
        <summary>What would be indexed</summary>
        <ul class="top-level" tabIndex={0}>
          {entries.map(({ name, is_folder: isFolder, objects: count, left_out: others }) => (
            <li key={name} class={count === 0 ? 'left-out' : undefined}>
              <bdi>{`${shownName(name)}${isFolder ? '/' : ''}`}</bdi>{' '}
              <span class="soft">
                {isFolder && shownNumber(count)}
                {!isFolder && count === 0 && 'left out'}
                {isFolder && others > 0 && `, ${shownNumber(others)} left out`}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
