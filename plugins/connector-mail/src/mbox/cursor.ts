import type { MailboxItem } from './mailbox.js';

/** The state of a mailbox at the last sync. */
export interface MailboxSnapshot {
  readonly stamp: string;
  /** Messages by ID. */
  readonly items: ReadonlyMap<string, MessageSnapshot>;
}

export interface MessageSnapshot {
  readonly version: string;
  readonly attachments: readonly string[];
}

export interface MboxCursor {
  /** The configuration at the last sync. */
  readonly settings: string;
  readonly folders: ReadonlyMap<string, MailboxSnapshot>;
}

/** Returns the JSON of a cursor. */
export function serializeCursor({ settings, folders }: MboxCursor): unknown {
  const entries = Array.from(folders, ([folder, { stamp, items }]) => {
    return { folder, stamp, lines: Array.from(items, lineOf).join('\n') };
  });
  return { settings, folders: entries };
}

/** Returns null for another format or other settings. */
export function parseCursor(cursor: unknown, settings: string): MboxCursor | null {
  if (!isMap(cursor) || cursor['settings'] !== settings || !Array.isArray(cursor['folders']))
    return null;
  const folders = new Map<string, MailboxSnapshot>();
  for (const each of cursor['folders']) {
    const { folder, stamp, lines } = isMap(each) ? each : {};
    if (typeof folder !== 'string' || typeof stamp !== 'string') return null;
    if (typeof lines !== 'string') return null;
    folders.set(folder, { stamp, items: parseItems(lines) });
  }
  return { settings, folders };
}

export function snapshotOf(
  { version }: MailboxItem,
  attachments: readonly string[],
): MessageSnapshot {
  return { version, attachments };
}

function lineOf([id, { version, attachments }]: [string, MessageSnapshot]): string {
  return [id, version, ...attachments].join('/');
}

function parseItems(lines: string): Map<string, MessageSnapshot> {
  const items = new Map<string, MessageSnapshot>();
  // Most messages have no attachments and no flags, so they share one object.
  const snapshotsByText = new Map<string, MessageSnapshot>();
  for (const line of lines.split('\n')) {
    const end = line.indexOf('/');
    if (end <= 0) continue;
    const text = line.slice(end + 1);
    const item = snapshotsByText.get(text) ?? parseSnapshot(text);
    snapshotsByText.set(text, item);
    items.set(line.slice(0, end), item);
  }
  return items;
}

function parseSnapshot(text: string): MessageSnapshot {
  const [version = '', ...attachments] = text.split('/');
  return { version, attachments };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
