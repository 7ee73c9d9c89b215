import type { Item } from './mailbox.js';

/** What a sync left behind of a mailbox. */
export interface Remembered {
  readonly stamp: string;
  /** Each message with its version and the names of its attachments. */
  readonly items: ReadonlyMap<string, RememberedItem>;
}

export interface RememberedItem {
  readonly version: string;
  readonly attachments: readonly string[];
}

export interface Cursor {
  /** The configuration that it was made with. */
  readonly settings: string;
  readonly folders: ReadonlyMap<string, Remembered>;
}

/** As JSON. */
export function written({ settings, folders }: Cursor): unknown {
  const texts = Array.from(folders, ([folder, { stamp, items }]) => {
    return { folder, stamp, lines: Array.from(items, lineOf).join('\n') };
  });
  return { settings, folders: texts };
}

/** Null for what this did not write, or for other settings. */
export function readCursor(cursor: unknown, settings: string): Cursor | null {
  if (!isMap(cursor) || cursor['settings'] !== settings || !Array.isArray(cursor['folders']))
    return null;
  const folders = new Map<string, Remembered>();
  for (const each of cursor['folders']) {
    const { folder, stamp, lines } = isMap(each) ? each : {};
    if (typeof folder !== 'string' || typeof stamp !== 'string') return null;
    if (typeof lines !== 'string') return null;
    folders.set(folder, { stamp, items: itemsOf(lines) });
  }
  return { settings, folders };
}

export function remembered({ version }: Item, attachments: readonly string[]): RememberedItem {
  return { version, attachments };
}

function lineOf([id, { version, attachments }]: [string, RememberedItem]): string {
  return [id, version, ...attachments].join('/');
}

function itemsOf(lines: string): Map<string, RememberedItem> {
  const items = new Map<string, RememberedItem>();
  // Most messages have nothing attached, and nothing was done with them.
  const alike = new Map<string, RememberedItem>();
  for (const line of lines.split('\n')) {
    const end = line.indexOf('/');
    if (end <= 0) continue;
    const rest = line.slice(end + 1);
    const item = alike.get(rest) ?? rememberedIn(rest);
    alike.set(rest, item);
    items.set(line.slice(0, end), item);
  }
  return items;
}

function rememberedIn(text: string): RememberedItem {
  const [version = '', ...attachments] = text.split('/');
  return { version, attachments };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
