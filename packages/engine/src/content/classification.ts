import type { ObjectKind } from '@trove/core';
import { decodeText, hasBinaryStart } from '@trove/text/encodings';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import { freeMemory } from '@trove/runtime';
import type { ClassifiedText } from './chunking/index.js';
import type { ConversionFacts } from './content-bytes.js';

/** The bytes of an object with the facts that its source states. Plain data that can be sent to a worker thread. */
export interface ObjectBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Path below the root or, for a source that is a single object, its name. */
  readonly name: string;
  readonly kind: ObjectKind | null;
  readonly mediaType: string | null;
  /** Not null if the bytes are Markdown that was converted from `mediaType`. */
  readonly conversion: ConversionFacts | null;
  /** The encoding set by an object rule; null: detected from the bytes. */
  readonly encoding: string | null;
}

/** The classification of an object that consists of bytes. */
export interface Classification {
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Null for a binary object. */
  readonly source: ClassifiedText | null;
  /** The encoding if only letter frequencies tell it, else null. */
  readonly guessedEncoding: string | null;
}

/**
 * Classifies an object by the facts of its source, then its content, then its name. Frees the bytes, so only the
 * owner may call this.
 */
export function classify(object: ObjectBytes): Classification {
  const text = decode(object);
  freeMemory(object.bytes);
  return text;
}

function decode({
  bytes,
  name,
  kind,
  mediaType,
  conversion,
  encoding,
}: ObjectBytes): Classification {
  if (conversion !== null) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const source = { text, kind: 'document', mediaType: 'text/markdown', path: name } as const;
    const facts = { kind: kindOfConverted(name, mediaType), mediaType };
    return { ...facts, source: { ...source, parts: conversion.parts }, guessedEncoding: null };
  }
  const decoded = decodeText(bytes, { encoding: encoding ?? undefined });
  const text = decoded?.text ?? null;
  const facts = factsOf({ bytes, name, kind, mediaType }, text === null);
  const guessedEncoding = decoded?.guessed === true ? decoded.encoding : null;
  return {
    ...facts,
    source: text === null ? null : { ...facts, text, path: name },
    guessedEncoding,
  };
}

/**
 * Classifies an object that its first bytes show to be binary, and frees its bytes. Returns null otherwise. Takes
 * almost no time.
 */
export function classifyBinary(
  object: ObjectBytes,
): Omit<Classification, 'source' | 'guessedEncoding'> | null {
  if (object.conversion !== null || !hasBinaryStart(object.bytes)) return null;
  const facts = factsOf(object, true);
  freeMemory(object.bytes);
  return facts;
}

function factsOf(
  { bytes, name, kind, mediaType }: Omit<ObjectBytes, 'conversion' | 'encoding'>,
  isBinary: boolean,
): Omit<Classification, 'source' | 'guessedEncoding'> {
  const type = mediaType ?? mediaTypeOf(name, bytes);
  return { kind: kind ?? kindOf(name, type, isBinary), mediaType: type };
}

/** An image with recognised text remains an image. */
export function kindOfConverted(name: string, mediaType: string | null): ObjectKind {
  return kindOf(name, mediaType, true) === 'image' ? 'image' : 'document';
}
