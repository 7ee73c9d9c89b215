import type { Item } from './mailbox.js';

/** What a sync left behind of a mailbox. */
export interface Remembered {
  readonly stamp: string;
  /** Each message with its version and the names of its attachments; null when they would have been too many to keep. */
  readonly items: ReadonlyMap<string, RememberedItem> | null;
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

/** Characters that a cursor may have. */
const longest = 900_000;

/** As JSON. What is too long loses the messages of its largest mailboxes, which are then listed anew once they change. */
export function written({ settings, folders }: Cursor): unknown {
  const texts = Array.from(folders, ([folder, { stamp, items }]) => {
    const lines = items === null ? null : Array.from(items, lineOf).join('\n');
    return { folder, stamp, lines };
  });
  let length = JSON.stringify([settings, texts]).length;
  const bySize = texts.toSorted((a, b) => (b.lines?.length ?? 0) - (a.lines?.length ?? 0));
  for (const text of bySize) {
    if (length <= longest) break;
    length -= JSON.stringify(text.lines).length;
    text.lines = null;
  }
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
    const items = typeof lines === 'string' ? new Map(lines.split('\n').flatMap(itemOf)) : null;
    folders.set(folder, { stamp, items });
  }
  return { settings, folders };
}

export function remembered({ version }: Item, attachments: readonly string[]): RememberedItem {
  return { version, attachments };
}

function lineOf([id, { version, attachments }]: [string, RememberedItem]): string {
  return [id, version, ...attachments].join('/');
}

function itemOf(line: string): [string, RememberedItem][] {
  const [id = '', version = '', ...attachments] = line.split('/');
  return id === '' ? [] : [[id, { version, attachments }]];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
