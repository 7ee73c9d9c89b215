import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { ConfirmButton } from '../parts/confirm-button.js';
import { Failure } from '../parts/failure.js';
import { counted } from '../parts/numbers.js';
import { shownUri } from '../parts/names.js';
import { useClient, usePermissions } from '../session-context.js';
import { useAction } from '../use-action.js';

interface Props {
  readonly source: ConnectorRow;
  readonly onDone: () => void;
}

/** Syncs, pauses, indexes again or removes a source. */
export function SourceActions({ source, onDone }: Props): JSX.Element {
  const client = useClient();
  const { maySync, mayManage } = usePermissions();
  const { run, isRunning, error } = useAction(onDone);
  const { root_uri: root, object_count: objects, status, paused } = source;
  const isBusy = isRunning || status === 'syncing' || status === 'removing';
  const sync = (full: boolean): void =>
    void run(() => client.ingest.addSource({ body: { target: root, full } }));
  const pause = (): void =>
    void run(() =>
      client.connectors.scheduleConnector({
        body: { target: root, paused: paused ? null : true },
      }),
    );
  return (
    <>
      {maySync && (
        <>
          <button type="button" disabled={isBusy} onClick={() => sync(false)}>
            Sync now
          </button>
          <button type="button" disabled={isBusy} onClick={() => sync(true)}>
            Index everything again
          </button>
        </>
      )}
      {mayManage && (paused || source.next_sync_at !== null || source.watch !== null) && (
        <button type="button" disabled={isRunning || status === 'removing'} onClick={pause}>
          {paused ? 'Resume' : 'Pause'}
        </button>
      )}
      {mayManage && (
        <ConfirmButton
          label="Remove"
          action="Remove the source"
          title="Remove this source?"
          onConfirm={() => void run(() => client.connectors.removeConnector({ target: root }))}
        >
          <p>
            <bdi>{shownUri(root)}</bdi> and its {counted(objects, 'object')} leave the index. The
            source itself does not change.
          </p>
        </ConfirmButton>
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
