import type { ObjectKind } from '@trove/core';
import { decodeText, kindOf, mediaTypeOf } from '@trove/core/content';

/** All bytes of an object, and what its source says it is; plain data, for a worker thread. */
export interface ObjectBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Path below the root or, for a source that is a single object, its name. */
  readonly name: string;
  readonly kind: ObjectKind | null;
  readonly mediaType: string | null;
}

/** What an object made of bytes is. */
export interface ObjectText {
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Null: it is binary. */
  readonly text: string | null;
}

/** The word of its source decides what an object is, then its content, then its name. Meant for worker threads. */
export function textOf({ bytes, name, kind, mediaType }: ObjectBytes): ObjectText {
  const text = decodeText(bytes)?.text ?? null;
  const type = mediaType ?? mediaTypeOf(name, bytes);
  return { text, mediaType: type, kind: kind ?? kindOf(name, type, text === null) };
}
