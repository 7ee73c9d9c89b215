import { membersOf } from './forms.js';

/** By `ts`: a mark of the replies. */
export type KnownThreads = Map<string, string>;

interface State {
  readonly channels: Map<string, KnownThreads>;
  /** Older threads were left out, because there are too many. */
  readonly isTruncated: boolean;
}

/** A state has at most a million characters. */
const maxChars = 900_000;

export function readState(state: unknown): State {
  const { channels, isTruncated } = membersOf<{ channels: unknown; isTruncated: boolean }>(state);
  const entries = Object.entries(membersOf<Record<string, unknown>>(channels));
  return {
    channels: new Map(entries.map(([id, texts]) => [id, threadsOf(texts)])),
    isTruncated: isTruncated === true,
  };
}

/** Returns the state with the newest threads. `begin`: older ones are left out. */
export function writeState(
  channels: ReadonlyMap<string, KnownThreads>,
  begin: string,
  wasTruncated: boolean,
): unknown {
  const recent = [...channels].flatMap(([id, threads]) =>
    [...threads].filter(([ts]) => ts >= begin).map(([ts, mark]) => ({ id, ts, mark })),
  );
  const kept: Record<string, string[]> = {};
  let chars = 0;
  let isTruncated = false;
  for (const { id, ts, mark } of recent.toSorted((a, b) => (a.ts < b.ts ? 1 : -1))) {
    const text = mark === '' ? ts : `${ts}:${mark}`;
    chars += JSON.stringify(text).length + 1 + (kept[id] === undefined ? id.length + 6 : 0);
    isTruncated = chars > maxChars;
    if (isTruncated) break;
    (kept[id] ??= []).push(text);
  }
  return { channels: kept, ...(isTruncated || wasTruncated ? { isTruncated: true } : {}) };
}

/** Writes a mark for a checkpoint: the channel, the thread and the mark. */
export function markText(channel: string, ts: string, mark: string): string {
  return `${channel} ${ts}:${mark}`;
}

/** Reads the marks of a checkpoint, by channel. */
export function marksIn(texts: unknown): Map<string, KnownThreads> {
  const all: readonly unknown[] = Array.isArray(texts) ? texts : [];
  const marks = new Map<string, KnownThreads>();
  for (const text of all) {
    const [channel = '', thread = ''] = String(text).split(' ', 2);
    const known = marks.get(channel) ?? new Map<string, string>();
    for (const [ts, mark] of threadsOf([thread])) known.set(ts, mark);
    marks.set(channel, known);
  }
  return marks;
}

function threadsOf(texts: unknown): KnownThreads {
  const all: readonly unknown[] = Array.isArray(texts) ? texts : [];
  return new Map(
    all.flatMap((text): [string, string][] => {
      if (typeof text !== 'string') return [];
      const end = text.indexOf(':');
      return [end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]];
    }),
  );
}
