import type { ObjectKind } from '@trove/core';
import { decodeText, hasBinaryStart } from '@trove/text/encodings';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';
import { freeMemory } from '@trove/runtime';
import type { ClassifiedText } from './chunking/index.js';
import type { ConversionFacts } from './content-bytes.js';

/** All bytes of an object, and what its source says it is; plain data, for a worker thread. */
export interface ObjectBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Path below the root or, for a source that is a single object, its name. */
  readonly name: string;
  readonly kind: ObjectKind | null;
  readonly mediaType: string | null;
  /** Not null: the bytes are Markdown, made of what `mediaType` says. */
  readonly conversion: ConversionFacts | null;
  /** What a rule of its source says; null: the bytes tell. */
  readonly encoding: string | null;
}

/** What an object made of bytes is. */
export interface Classification {
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Null: it is binary. */
  readonly source: ClassifiedText | null;
  /** The encoding if only letter frequencies tell it, else null. */
  readonly guessedEncoding: string | null;
}

/**
 * The word of its source decides what an object is, then its content, then its name. Meant for worker threads: the bytes,
 * which nobody else has, are gone then.
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
 * What an object is whose start tells already that it is binary: its bytes are gone then. Null if it does not. Takes next to
 * no time.
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

/** An image whose text was recognised is still one. */
export function kindOfConverted(name: string, mediaType: string | null): ObjectKind {
  return kindOf(name, mediaType, true) === 'image' ? 'image' : 'document';
}
