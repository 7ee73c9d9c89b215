import type { RecordKey } from '@trove/core';
import { decodeText, lineStarts, sliceLines, withoutLineEnd } from '@trove/text/encodings';

import type { ConnectorSubject, KnownObject } from './subject.js';

/** Returns the known objects with bytes. */
export function byteObjects({ objects }: ConnectorSubject): { path: string; bytes: Uint8Array }[] {
  return objects.filter((object) => 'bytes' in object);
}

export function recordObjects({
  objects,
}: ConnectorSubject): Extract<KnownObject, { records: unknown }>[] {
  return objects.filter((object) => 'records' in object);
}

/** Returns the known texts as lines. */
export function texts(subject: ConnectorSubject): { path: string; lines: string[] }[] {
  return byteObjects(subject).flatMap(({ path, bytes }) => {
    const text = decodeText(bytes)?.text;
    if (text === undefined) return [];
    const starts = lineStarts(text);
    const lines = starts.map((_, at) => withoutLineEnd(sliceLines(text, starts, at + 1, at + 1)));
    return [{ path, lines }];
  });
}

/** A text in a field of a known record. */
export interface RecordText {
  readonly path: string;
  readonly key: RecordKey;
  readonly text: string;
}

/** Returns the words in the fields of known records. */
export function recordTexts(subject: ConnectorSubject): RecordText[] {
  return recordObjects(subject).flatMap(({ path, records }) =>
    records.flatMap(({ key, fields }) =>
      Object.values(fields).flatMap((value) =>
        typeof value === 'string' && /^[A-Za-z][\w ]+$/.test(value)
          ? [{ path, key, text: value }]
          : [],
      ),
    ),
  );
}

/** Returns the first item. Throws if there is none. */
export function first<T>(items: readonly T[], what: string): T {
  const [item] = items;
  if (item === undefined) throw new Error(`the subject has no ${what}`);
  return item;
}

/** Returns the paths of the objects coupled with one, including itself. */
export function coupledPaths({ coupled = [] }: ConnectorSubject, path: string): readonly string[] {
  return coupled.find((paths) => paths.includes(path)) ?? [path];
}
