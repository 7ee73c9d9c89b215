import {
  isTroveError,
  type Change,
  type Connector,
  type ConnectorContext,
  type Entry,
  type TroveError,
} from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { onedrive, sharepoint } from '../src/index.js';
import { startFakeGraph, type FakeGraph } from './fake.js';

export const driveTarget = 'onedrive://ann';
export const siteTarget = 'sharepoint://contoso.sharepoint.com/sites/Team';
export const allSitesTarget = 'sharepoint://contoso.sharepoint.com';

type Settings = Readonly<Record<string, unknown>>;
type Own = Partial<ConnectorContext<unknown>>;

/** The addresses of a fake. */
function addressesOf({ service }: FakeGraph): Record<string, unknown> {
  return { base_url: service.origin, login_url: service.origin };
}

export function settingsFor(fake: FakeGraph): Record<string, unknown> {
  return { ...addressesOf(fake), client_id: 'client-1', refresh_token: 'refresh-1' };
}

export async function openDrive(settings: Settings, own: Own = {}): Promise<Connector> {
  const config = configFor(onedrive, settings);
  const context = { target: driveTarget, http: connectorHttp(), ...own, config };
  return onedrive.create(connectorContext(context));
}

export async function openSites(
  settings: Settings,
  target = allSitesTarget,
  own: Own = {},
): Promise<Connector> {
  const config = configFor(sharepoint, settings);
  return sharepoint.create(connectorContext({ target, http: connectorHttp(), ...own, config }));
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the changes since a cursor, without checkpoints, the new cursor and the warnings. */
export async function changesSince(connector: Connector, cursor?: unknown) {
  let next: unknown;
  const changes: Change[] = [];
  const warnings: string[] = [];
  let failure: TroveError | null = null;
  try {
    for await (const change of connector.changes?.({
      cursor,
      commit: (value) => (next = structuredClone(value)),
      warn: (sentence) => void warnings.push(sentence),
      signal: neverAborted(),
    }) ?? [])
      if (!('checkpoint' in change)) changes.push(change);
  } catch (error) {
    if (!isTroveError(error)) throw error;
    failure = error;
  }
  return { changes, cursor: next, warnings, failure };
}

/** Returns the paths of entries, and removed paths with a minus. */
export function pathsOf(changes: readonly Change[]): string[] {
  return changes.map((change) => {
    if ('entry' in change) return change.entry.path;
    return 'removed' in change ? `- ${change.removed}` : JSON.stringify(change);
  });
}

/** Returns the paths of the requests, without those for tokens. */
export function requestsOf({ service }: FakeGraph): string[] {
  return service.exchanges
    .map(({ request }) => request.path.replace('/v1.0', ''))
    .filter((path) => !path.endsWith('/token'));
}

/** Opens a connector of the user's drive on a fake, and closes both at the end. */
export async function withDrive(
  use: (open: { readonly fake: FakeGraph; readonly connector: Connector }) => Promise<void>,
  settings: Settings = {},
): Promise<void> {
  await using fake = await startFakeGraph();
  const connector = await openDrive({ ...settingsFor(fake), ...settings });
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Opens a connector of sites on a fake, and closes both at the end. */
export async function withSites(
  use: (open: { readonly fake: FakeGraph; readonly connector: Connector }) => Promise<void>,
  { target = allSitesTarget, settings = {} }: { target?: string; settings?: Settings } = {},
): Promise<void> {
  await using fake = await startFakeGraph();
  const connector = await openSites({ ...settingsFor(fake), ...settings }, target);
  try {
    await use({ fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** Lists all entries. */
export async function entriesOf(connector: Connector): Promise<readonly Entry[]> {
  return collect(connector.list({ signal: neverAborted() }));
}

/** Returns the listed paths in order. */
export async function listedPaths(connector: Connector): Promise<readonly string[]> {
  return (await entriesOf(connector)).map(({ path }) => path).toSorted();
}

/** Reads a file or a range of it. */
export async function textAt(
  connector: Connector,
  path: string,
  range?: { readonly start: number; readonly end?: number },
): Promise<string> {
  const options = { signal: neverAborted(), ...(range === undefined ? {} : { range }) };
  const content = await connector.read?.(path, options);
  const chunks: Uint8Array[] = [];
  const { bytes = new Uint8Array() } = content ?? {};
  if (bytes instanceof Uint8Array) chunks.push(bytes);
  else for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
