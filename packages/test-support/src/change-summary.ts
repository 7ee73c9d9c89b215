import type { Change, Connector } from '@trove/core';
import { collect } from './collect.js';

/** Returns the changes of a database sync in a short form without schemas, and the new cursor. */
export async function summarizeChanges(
  connector: Connector,
  cursor?: unknown,
): Promise<[summaries: string[], cursor: unknown]> {
  let next: unknown;
  const commit = (newCursor: unknown): void => void (next = newCursor);
  const { signal } = new AbortController();
  const all = await collect(connector.changes?.({ cursor, commit, signal }));
  return [
    all.filter((change) => !isSchema(change)).map(shortForm),
    JSON.parse(JSON.stringify(next)),
  ];
}

/** Returns a cursor as if its sync had been more than a day ago. */
export function ageCursor(cursor: unknown): unknown {
  return JSON.parse(
    JSON.stringify(cursor, (name, value: unknown) =>
      name === 'readAt' ? Date.now() - 25 * 60 * 60 * 1000 : value,
    ),
  );
}

function isSchema(change: Change): boolean {
  return 'entry' in change && change.entry.path.endsWith('schema.json');
}

function shortForm(change: Change): string {
  if ('entry' in change) return folderOf(change.entry.path);
  if ('removed' in change) return `- ${change.removed}`;
  if ('reset' in change) return 'reset';
  if ('checkpoint' in change) return 'checkpoint';
  const keys = change.records.map(({ key }) => Object.values(key).join());
  return `${folderOf(change.path)} ${keys.join(' ')} of ${change.total}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
