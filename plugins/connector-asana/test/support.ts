import type { Change, Connector, SourceRecord } from '@trove/core';
import { recordsAt } from '@trove/test-support/connector-reads.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { configFor, connectorContext } from '@trove/testkit';

import plugin from '../src/index.js';
import { startFakeAsana, type FakeAsana } from './fake.js';
import type { AsanaWorld, StoredProject, StoredTask } from './fake/world.js';

export const hourMs = 3_600_000;

export interface OpenAsana extends FakeAsana {
  readonly connector: Connector;
}

/** The settings with which the fake accepts the login. */
export function configOf({ service }: FakeAsana): Readonly<Record<string, unknown>> {
  return { base_url: `${service.origin}/api/1.0`, token: 'token-1' };
}

export function openConnector(
  fake: FakeAsana,
  config: Readonly<Record<string, unknown>> = {},
): Connector | Promise<Connector> {
  return plugin.create(
    connectorContext({
      target: `asana://${fake.world.workspace.gid}`,
      http: connectorHttp(),
      config: configFor(plugin, { ...configOf(fake), ...config }),
    }),
  );
}

/** Starts an Asana and opens a connector on it. Closes both at the end. */
export async function withAsana(
  use: (open: OpenAsana) => Promise<void>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await using fake = await startFakeAsana();
  const connector = await openConnector(fake, config);
  try {
    await use({ ...fake, connector });
  } finally {
    await connector.close?.();
  }
}

/** A project with tasks of these names, added an hour ago. */
export function fill(
  world: AsanaWorld,
  names: readonly string[],
): { readonly project: StoredProject; readonly tasks: readonly StoredTask[] } {
  const now = world.now;
  world.now = now - hourMs;
  const project = world.addProject('Website');
  const tasks = names.map((name) => world.addTask({ name, projects: [project.gid] }));
  world.now = now;
  return { project, tasks };
}

/** The names of tasks and the texts of comments. */
export function textsOf(records: readonly SourceRecord[]): string[] {
  return records.map(({ title, text }) => title ?? text ?? '');
}

export async function taskTexts(connector: Connector): Promise<string[]> {
  return textsOf(await recordsAt(connector, 'tasks'));
}

/** The texts of the changed records of tasks. */
export function changedTexts(changes: readonly Change[]): string[] {
  const found = changes.flatMap((change) =>
    'records' in change && change.path === 'tasks' ? change.records : [],
  );
  return [...new Set(textsOf(found))];
}

/** The threads that changes report as complete, with the number of their messages. */
export function threadsIn(changes: readonly Change[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    changes.flatMap((change) =>
      'complete' in change && typeof change.complete === 'object' && 'thread' in change.complete
        ? [[change.complete.thread, change.records.length]]
        : [],
    ),
  );
}

/** The requests, without the base and parameters that are always the same. */
export function requestsOf({ service }: FakeAsana): string[] {
  return service.exchanges.map(({ request: { path, query } }) => {
    const names = ['project', 'resource', 'parent'].flatMap((name) => query.get(name) ?? []);
    return [path.replace('/api/1.0', ''), ...names].join(' ');
  });
}
