import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { Age } from '../parts/age.js';

/** The next time of a source's schedule, and since when the source fails. */
export function NextSync({ source }: { readonly source: ConnectorRow }): JSX.Element {
  const { next_sync_at: next, failing_since: failing, paused } = source;
  return (
    <>
      {paused && <span class="badge busy">paused</span>}
      {next !== null && (
        <span class="soft">
          next sync {Date.parse(next) <= Date.now() ? 'soon' : <Age time={next} />}
        </span>
      )}
      {failing !== null && (
        <span class="bad-text">
          failing since <Age time={failing} />
        </span>
      )}
    </>
  );
}
