import { parseUids, formatUids } from './uids.js';

/** The state of a folder at the last sync. */
export interface FolderSnapshot {
  readonly validity: string;
  readonly modseq: string;
  readonly uidNext: number;
  readonly count: number;
  readonly uids: readonly number[];
  /** The flags of flagged messages by UID, separated by spaces. */
  readonly flags: ReadonlyMap<number, string>;
  /** The names of attachments by the UID of their message. */
  readonly attachments: ReadonlyMap<number, readonly string[]>;
}

export interface ImapCursor {
  readonly folders: ReadonlyMap<string, FolderSnapshot>;
}

/** Returns the JSON of a cursor. */
export function serializeCursor(settings: string, { folders }: ImapCursor): unknown {
  const entries = Array.from(folders, ([folder, snapshot]) => ({
    ...snapshot,
    folder,
    uids: formatUids(snapshot.uids),
    flags: Array.from(snapshot.flags, ([uid, flags]) => `${uid} ${flags}`).join('\n'),
    attachments: Array.from(snapshot.attachments, ([uid, names]) => [uid, ...names].join('/')).join(
      '\n',
    ),
  }));
  return { settings, folders: entries };
}

/** Returns null for another format or other settings. */
export function parseCursor(cursor: unknown, settings: string): ImapCursor | null {
  if (!isMap(cursor) || cursor['settings'] !== settings || !Array.isArray(cursor['folders']))
    return null;
  const folders = new Map<string, FolderSnapshot>();
  for (const each of cursor['folders']) {
    if (!isMap(each)) return null;
    const { folder, validity, modseq, uidNext, count, uids, flags, attachments } = each;
    folders.set(String(folder), {
      validity: String(validity),
      modseq: String(modseq),
      uidNext: Number(uidNext),
      count: Number(count),
      uids: parseUids(String(uids)),
      flags: new Map(
        linesOf(flags).map((line) => [Number.parseInt(line, 10), line.replace(/^\d+ /, '')]),
      ),
      attachments: new Map(
        linesOf(attachments).map((line) => {
          const [uid, ...names] = line.split('/');
          return [Number(uid), names];
        }),
      ),
    });
  }
  return { folders };
}

function linesOf(text: unknown): string[] {
  return (typeof text === 'string' ? text : '').split('\n').filter((line) => line !== '');
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
