import type { JSX } from 'preact';
import { messageOf } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';

interface Props {
  /** The URI of the source. */
  readonly root: string;
  /** The path of a failed object below its source. */
  readonly path: string;
  readonly onDone: () => void;
}

/** Syncs a failed object again. */
export function RetryObject({ root, path, onDone }: Props): JSX.Element {
  const client = useClient();
  const { run, isRunning, error } = useAction(onDone);
  const retry = (): void =>
    void run(() => client.ingest.addSource({ body: { target: root, paths: [path] } }));
  return (
    <>
      <button type="button" class="small" disabled={isRunning} onClick={retry}>
        Try again<span class="hidden"> with {path}</span>
      </button>
      {error !== undefined && (
        <span class="bad-text" role="alert">
          {messageOf(error)}
        </span>
      )}
    </>
  );
}
