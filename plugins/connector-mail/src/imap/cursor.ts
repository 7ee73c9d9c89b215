import { readUids, writtenUids } from './uids.js';

/** What a sync left behind of a folder. */
export interface Remembered {
  readonly validity: string;
  readonly modseq: string;
  readonly uidNext: number;
  readonly count: number;
  readonly uids: readonly number[];
  /** What was done with a message, where anything was. */
  readonly flags: ReadonlyMap<number, string>;
  /** The names of its attachments, where there are any. */
  readonly attachments: ReadonlyMap<number, readonly string[]>;
}

export interface Cursor {
  readonly folders: ReadonlyMap<string, Remembered>;
}

/** As JSON. */
export function written(settings: string, { folders }: Cursor): unknown {
  const texts = Array.from(folders, ([folder, known]) => ({
    ...known,
    folder,
    uids: writtenUids(known.uids),
    flags: Array.from(known.flags, ([uid, flags]) => `${uid} ${flags}`).join('\n'),
    attachments: Array.from(known.attachments, ([uid, names]) => [uid, ...names].join('/')).join(
      '\n',
    ),
  }));
  return { settings, folders: texts };
}

/** Null for what this did not write, or for other settings. */
export function readCursor(cursor: unknown, settings: string): Cursor | null {
  if (!isMap(cursor) || cursor['settings'] !== settings || !Array.isArray(cursor['folders']))
    return null;
  const folders = new Map<string, Remembered>();
  for (const each of cursor['folders']) {
    if (!isMap(each)) return null;
    const { folder, validity, modseq, uidNext, count, uids, flags, attachments } = each;
    folders.set(String(folder), {
      validity: String(validity),
      modseq: String(modseq),
      uidNext: Number(uidNext),
      count: Number(count),
      uids: readUids(String(uids)),
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
