import type { Connector, ConnectorContext, SourceRecord } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeAirtable, type FakeAirtable } from './fake.js';
import { linksTo, type Base, type Table } from './fake/world.js';

const minuteMs = 60_000;
export const dayMinutes = 24 * 60;

export function settingsFor({ service }: FakeAirtable): Record<string, unknown> {
  return { base_url: service.origin, token: 'pat-1' };
}

interface Opened {
  readonly target?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly context?: Partial<ConnectorContext<unknown>>;
}

/** Opens the connector on all bases of a fake. */
export async function openAirtable(
  fake: FakeAirtable,
  { target = 'airtable://all', settings = {}, context = {} }: Opened = {},
): Promise<Connector> {
  const config = configFor(plugin, { ...settingsFor(fake), ...settings });
  return plugin.create(connectorContext({ target, http: connectorHttp(), ...context, config }));
}

/** Sets the clock of the service to a time before now, so the next sync begins after it. */
export function setAge({ world }: FakeAirtable, minutes: number): void {
  world.now = Date.now() - minutes * minuteMs;
}

/** Returns the requests without the version: `crm/contacts?offset=…`, with names in place of the ids of bases and tables. */
export function requestsOf({ service, world }: FakeAirtable): string[] {
  const names = [...world.bases.values(), ...world.tables.values()];
  return service.exchanges.map(({ request: { path, query } }) =>
    names.reduce(
      (text, { id, name }) => text.replaceAll(id, name),
      `${path.slice('/v0/'.length)}${query.has('offset') ? ' next' : ''}`,
    ),
  );
}

export interface Crm {
  readonly fake: FakeAirtable;
  readonly base: Base;
  readonly contacts: Table;
  readonly deals: Table;
}

/** Creates the base `crm` with the empty tables `contacts` and `deals`. Deals link to contacts. */
export function createCrm(fake: FakeAirtable): Crm {
  const base = fake.world.createBase('crm');
  const contacts = fake.world.createTable(base, 'contacts', {
    Name: 'singleLineText',
    Notes: 'multilineText',
  });
  const deals = fake.world.createTable(base, 'deals', {
    Title: 'singleLineText',
    Status: 'singleSelect',
    People: linksTo(contacts),
  });
  return { fake, base, contacts, deals };
}

/** Opens the connector on the base `crm`, which has not changed for a day. */
export async function withCrm(
  use: (open: Crm & { readonly connector: Connector }) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeAirtable();
  setAge(fake, dayMinutes);
  const crm = createCrm(fake);
  const connector = await openAirtable(fake, { target: `airtable://${crm.base.id}`, settings });
  try {
    await use({ ...crm, connector });
  } finally {
    await connector.close?.();
  }
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

export async function recordsAt(
  connector: Connector,
  path: string,
  thread?: string,
): Promise<readonly SourceRecord[]> {
  const part = thread === undefined ? {} : { thread };
  return collect(connector.records?.(path, { ...part, signal: neverAborted() }));
}
