import { TroveApiError } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.js';
import { shownName } from '../parts/names.js';
import { useClient } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';

/** The requests that the next sync of a source would make, if its connector can predict them. */
export function PlannedRequests({ root }: { readonly root: string }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="section" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Requests of the next sync</summary>
      {isOpen && <Requests root={root} />}
    </details>
  );
}

function Requests({ root }: { readonly root: string }): JSX.Element {
  const client = useClient();
  const { value, error } = useLoaded(
    (signal) => client.connectors.explainConnector({ body: { target: root } }, { signal }),
    [root],
  );
  if (error instanceof TroveApiError && error.code === 'not_supported')
    return <p class="soft">{error.detail}</p>;
  if (error !== undefined) return <Failure error={error} />;
  if (value === undefined) return <p class="soft">Reading …</p>;
  return (
    <ul>
      {value.requests.map(({ name, request, repeats }) => (
        <li key={`${name} ${request}`}>
          <strong>{shownName(name)}</strong>: <code>{shownName(request)}</code>
          {repeats !== null && `, ${shownName(repeats)}`}
        </li>
      ))}
    </ul>
  );
}
