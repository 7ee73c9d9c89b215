import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { NoSource } from '../parts/no-source.js';
import { counted } from '../parts/numbers.js';
import { shownName, shownUri } from '../parts/names.js';
import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import {
  isFiltered,
  requestOf,
  searchHref,
  withoutFilters,
  type SearchChoice,
} from './search-request.js';

interface Props {
  readonly choice: SearchChoice;
  /** Why the path is not searched, from the server. */
  readonly reason: string | undefined;
  readonly sources: readonly ConnectorRow[];
}

/** Explains a search without hits, and offers the next step. */
export function NothingFound({ choice, reason, sources }: Props): JSX.Element {
  const searched = sources.filter(
    ({ root_uri: root }) => choice.path === '' || root === choice.path,
  );
  const failing = searched.filter(({ error }) => error !== null);
  const syncing = searched.filter(({ status }) => status === 'syncing');
  return (
    <div class="notice">
      <p>
        <strong>No passages match.</strong> {reason !== undefined && shownName(reason)}
      </p>
      <ul>
        {sources.length === 0 && (
          <li>
            <NoSource />
          </li>
        )}
        {isFiltered(choice) && (
          <li>
            <Unfiltered choice={choice} />
          </li>
        )}
        {syncing.map(({ root_uri: root }) => (
          <li key={root}>
            <bdi>{shownUri(root)}</bdi> is being indexed. Try again when its sync has ended.
          </li>
        ))}
        {failing.map(({ root_uri: root, error, detail }) => (
          <li key={root}>
            <bdi>{shownUri(root)}</bdi> has a problem, so objects may be missing:{' '}
            {shownName(detail ?? error ?? '')}
          </li>
        ))}
        {reason === undefined && sources.length > 0 && !isFiltered(choice) && (
          <li>No word of the query occurs in the index. Try other or fewer words.</li>
        )}
      </ul>
    </div>
  );
}

/** Shows how many hits the filters exclude. */
function Unfiltered({ choice }: { readonly choice: SearchChoice }): JSX.Element {
  const client = useClient();
  const all = withoutFilters(choice);
  const { value } = useLoaded(
    (signal) => client.retrieval.search(requestOf(all), { signal }),
    [searchHref(all)],
  );
  const hits = value?.results.length ?? 0;
  if (value === undefined) return <>Looking without the filters …</>;
  if (hits === 0) return <>Without the filters, no passage matches either.</>;
  return (
    <>
      Without the filters, {counted(hits, 'passage matches', 'or more passages match')}.{' '}
      <a href={searchHref(all)}>Search without filters</a>
    </>
  );
}
