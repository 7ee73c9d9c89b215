import type { JSX } from 'preact';
import { navigate } from '../navigation.js';
import { Failure } from '../parts/failure.js';
import { useClient } from '../session-context.js';
import { useAction } from '../use-action.js';
import { findPassage, isReadable, webLinkOf, type SourcedPassage } from './passage-source.js';

/** Opens the object of a passage. */
export function PassageLinks({ passage }: { readonly passage: SourcedPassage }): JSX.Element {
  const client = useClient();
  const { run, isRunning, error } = useAction();
  const web = webLinkOf(passage);
  const open = (): void => void run(async () => navigate(await findPassage(passage, client)));
  return (
    <>
      {web !== null && (
        <a class="button small" href={web} rel="noreferrer noopener" target="_blank">
          Open the original
        </a>
      )}
      {isReadable(passage) && (
        <button type="button" class="small" disabled={isRunning} onClick={open}>
          Show in the file
        </button>
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
