import type {
  Change,
  Connector,
  ConnectorContext,
  ConnectorPlugin,
  SourceRecord,
} from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { defineHttpConnector, type HttpDescription } from '../../src/http/index.js';
import { Desk, startDesk } from './desk-service.js';
import type { FakeService } from '../../src/http/fake/index.js';

const deskSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', description: 'The address of the help desk.' },
    token: { type: 'string', writeOnly: true, description: 'A token of the help desk.' },
  },
} as const;

/** The members of a description that most tests share. */
export const deskBase = {
  base: '{config.url}',
  auth: { bearer: 'token' },
  check: { get: '/me', say: 'Connected as {name}.' },
} as const satisfies Partial<HttpDescription>;

export function deskPlugin(
  service: Pick<HttpDescription, 'streams'> & Partial<HttpDescription>,
): ConnectorPlugin {
  return defineHttpConnector({ keys: ['desk'], configSchema: deskSchema, ...deskBase, ...service });
}

/** An open connector of the imaginary help desk. */
export interface OpenDesk {
  readonly desk: Desk;
  readonly service: FakeService;
  readonly connector: Connector;
}

/** Starts a help desk and opens a connector on it. Closes both at the end. */
export async function withDesk(
  description: Pick<HttpDescription, 'streams'> & Partial<HttpDescription>,
  use: (open: OpenDesk) => Promise<void>,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<void> {
  const { desk, service } = await startDesk();
  try {
    const connector = await openConnector(deskPlugin(description), service, own);
    try {
      await use({ desk, service, connector });
    } finally {
      await connector.close?.();
    }
  } finally {
    await service.stop();
  }
}

/** Opens a connector on a running help desk. */
export async function openConnector(
  plugin: ConnectorPlugin,
  service: FakeService,
  own: Partial<ConnectorContext<unknown>> = {},
): Promise<Connector> {
  const config = configFor(plugin, { url: service.origin, token: 'good' });
  return plugin.create(
    connectorContext({ target: 'desk://acme/main', http: connectorHttp(), ...own, config }),
  );
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Yields all items of a method, with checkpoints. */
export async function all<T>(items: AsyncIterable<T> | undefined): Promise<T[]> {
  const found: T[] = [];
  if (items !== undefined) for await (const item of items) found.push(item);
  return found;
}

/** Returns the changes since a cursor, without checkpoints, and the new cursor. */
export async function changesSince(
  connector: Connector,
  cursor: unknown,
  warn: (sentence: string) => void = () => undefined,
): Promise<{ readonly changes: Change[]; readonly cursor: unknown }> {
  let next: unknown;
  const changes = await all(
    connector.changes?.({
      cursor,
      commit: (value) => (next = structuredClone(value)),
      warn,
      signal: neverAborted(),
    }),
  );
  return { changes: changes.filter((change) => !('checkpoint' in change)), cursor: next };
}

/** Returns the records of an object, without checkpoints. */
export async function recordsAt(
  connector: Connector,
  path: string,
  options: Partial<Parameters<NonNullable<Connector['records']>>[1]> = {},
): Promise<SourceRecord[]> {
  return collect(connector.records?.(path, { signal: neverAborted(), ...options }));
}

/** Returns the paths and queries of the successful requests, except the check. */
export function requestsOf(service: FakeService): string[] {
  return service.exchanges.flatMap(({ request: { path, query }, status }) => {
    if (path === '/me' || status >= 400) return [];
    const text = decodeURIComponent(query.toString());
    return [text === '' ? path : `${path}?${text}`];
  });
}
