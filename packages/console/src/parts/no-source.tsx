import type { JSX } from 'preact';
import { hrefOf } from '../route.js';
import { usePermissions } from '../session-context.js';

/** Explains that there is nothing to search. */
export function NoSource(): JSX.Element {
  const { mayManage } = usePermissions();
  if (!mayManage)
    return <>Your token gives access to no source. An administrator can give you access.</>;
  return (
    <>
      No source is indexed yet. <a href={hrefOf('sources')}>Add a source</a>
    </>
  );
}
