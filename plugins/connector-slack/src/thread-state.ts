import { membersOf } from './forms.js';

/** By `ts`: a mark of the replies. */
export type KnownThreads = Map<string, string>;

interface State {
  readonly channels: Map<string, KnownThreads>;
  /** Older threads were left out, because there are too many. */
  readonly isTruncated: boolean;
}

export function readState(state: unknown): State {
  const { channels, isTruncated } = membersOf<{ channels: unknown; isTruncated: boolean }>(state);
  const entries = Object.entries(membersOf<Record<string, unknown>>(channels));
  return {
    channels: new Map(entries.map(([id, texts]) => [id, threadsOf(texts)])),
    isTruncated: isTruncated === true,
  };
}

/** Returns the state with the newest threads that fit. `begin`: older ones are left out. */
export function writeState(
  channels: ReadonlyMap<string, KnownThreads>,
  {
    begin,
    wasTruncated,
    maxChars,
  }: { readonly begin: string; readonly wasTruncated: boolean; readonly maxChars: number },
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
