import type { ConnectorRow } from '@trove/client';
import type { JSX } from 'preact';

const looks: Readonly<Record<string, readonly [look: string, text: string]>> = {
  active: ['good', 'up to date'],
  syncing: ['busy', 'syncing'],
  removing: ['busy', 'being removed'],
  error: ['bad', 'failing'],
};

/** The state of a source in a word. */
export function SourceState({ source }: { readonly source: ConnectorRow }): JSX.Element {
  const state = source.error === null ? source.status : 'error';
  const isNew = state === 'active' && source.last_synced_at === null;
  const [look, text] = isNew ? ['busy', 'not indexed yet'] : (looks[state] ?? ['', state]);
  return <span class={`badge ${look}`}>{text}</span>;
}

/** Orders sources for a list: failing ones first, then syncing ones, then by name. */
export function bySeverity(a: ConnectorRow, b: ConnectorRow): number {
  return severity(a) - severity(b) || a.root_uri.localeCompare(b.root_uri);
}

function severity({ error, status }: ConnectorRow): number {
  if (error !== null || status === 'error') return 0;
  return status === 'active' ? 2 : 1;
}
