import type { RecordKey } from '@trove/core';
import { decodeText, lineStarts, sliceLines, withoutLineEnd } from '@trove/text/encodings';

import type { ConnectorSubject, KnownObject } from './subject.js';

/** The known objects made of bytes. */
export function byteObjects({ objects }: ConnectorSubject): { path: string; bytes: Uint8Array }[] {
  return objects.filter((object) => 'bytes' in object);
}

export function recordObjects({
  objects,
}: ConnectorSubject): Extract<KnownObject, { records: unknown }>[] {
  return objects.filter((object) => 'records' in object);
}

/** The known texts, line by line. */
export function texts(subject: ConnectorSubject): { path: string; lines: string[] }[] {
  return byteObjects(subject).flatMap(({ path, bytes }) => {
    const text = decodeText(bytes)?.text;
    if (text === undefined) return [];
    const starts = lineStarts(text);
    const lines = starts.map((_, at) => withoutLineEnd(sliceLines(text, starts, at + 1, at + 1)));
    return [{ path, lines }];
  });
}

/** A text among the fields of a known record. */
export interface RecordText {
  readonly path: string;
  readonly key: RecordKey;
  readonly text: string;
}

/** The words in the fields of known records. */
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

/** The first of some items that a case cannot do without. */
export function first<T>(items: readonly T[], what: string): T {
  const [item] = items;
  if (item === undefined) throw new Error(`the subject has no ${what}`);
  return item;
}

/** The paths of the objects that go with one, its own among them. */
export function coupledPaths({ coupled = [] }: ConnectorSubject, path: string): readonly string[] {
  return coupled.find((paths) => paths.includes(path)) ?? [path];
}
