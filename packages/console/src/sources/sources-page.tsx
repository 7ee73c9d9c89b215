import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Age } from '../parts/age.js';
import { Failure } from '../parts/failure.js';
import { counted, shownNumber } from '../parts/numbers.js';
import { shownName, shownUri } from '../parts/names.js';
import { readHref } from '../read/read-href.js';
import { hrefOf } from '../route.js';
import { useClient, usePermissions } from '../session-context.js';
import { useLoaded } from '../use-loaded.js';
import { AddSource } from './add-source.js';
import { SourceActions } from './source-actions.js';
import { NextSync } from './next-sync.js';
import { bySeverity, SourceState } from './source-state.js';

const everyMs = 3000;

/** All sources with their state, failing ones first. */
export function SourcesPage(): JSX.Element {
  const client = useClient();
  const { mayManage } = usePermissions();
  const [isAdding, setIsAdding] = useState(false);
  const { value, error, reload } = useLoaded((signal) => client.server.status({ signal }), [], {
    everyMs,
  });
  const sources = [...(value?.connectors ?? [])].sort(bySeverity);
  const failing = sources.filter((source) => source.error !== null).length;
  const isEmpty = value !== undefined && sources.length === 0;
  return (
    <div class="page">
      <div class="page-head">
        <h1>Sources</h1>
        {mayManage && !isEmpty && (
          <button
            type="button"
            class="primary"
            aria-expanded={isAdding}
            onClick={() => setIsAdding(!isAdding)}
          >
            Add a source
          </button>
        )}
      </div>
      {isEmpty && !mayManage && (
        <p class="notice">
          Your token gives access to no source. An administrator can add sources and give you
          access.
        </p>
      )}
      {mayManage && (isAdding || isEmpty) && (
        <AddSource
          onAdded={() => {
            setIsAdding(false);
            reload();
          }}
        />
      )}
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <p class="soft">Reading …</p>}
      {value !== undefined && !isEmpty && (
        <p class="soft" role="status">
          {counted(sources.length, 'source')}
          {failing > 0 && `, ${shownNumber(failing)} failing`}
        </p>
      )}
      <ul class="cards">
        {sources.map((source) => (
          <SourceCard key={source.root_uri} source={source} onDone={reload} />
        ))}
      </ul>
    </div>
  );
}

interface CardProps {
  readonly source: ConnectorRow;
  readonly onDone: () => void;
}

function SourceCard({ source, onDone }: CardProps): JSX.Element {
  const { root_uri: root, type, object_count: objects, chunk_count: chunks } = source;
  return (
    <li class="card">
      <h2>
        <a href={hrefOf('source', { root })}>
          <bdi>{shownUri(root)}</bdi>
        </a>
      </h2>
      <p class="card-facts">
        <SourceState source={source} />
        <span class="badge">{shownName(type)}</span>
        <span>{counted(objects, 'object')}</span>
        <span>{counted(chunks, 'passage')}</span>
        <span class="soft">
          {source.last_synced_at === null ? (
            'no complete sync yet'
          ) : (
            <>
              synced <Age time={source.last_synced_at} />
            </>
          )}
        </span>
        <NextSync source={source} />
        {source.watch !== null && <span class="soft">watched</span>}
      </p>
      {source.detail !== null && <p class="bad-text">{shownName(source.detail)}</p>}
      <div class="buttons">
        <a class="button" href={readHref(root)}>
          Read
        </a>
        <a class="button" href={hrefOf('search', { path: root })}>
          Search
        </a>
        <SourceActions source={source} onDone={onDone} />
      </div>
    </li>
  );
}
