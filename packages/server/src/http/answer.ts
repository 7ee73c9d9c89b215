import { Readable } from 'node:stream';
import type { Infer, JsonSchema } from '@trove/core';
import { jsonPieces } from './json-pieces.js';

/** What goes out as a body: a stream, written as it comes; pieces, counted and held until they are sent; null for none. */
export type Payload = Readable | AsyncIterable<Uint8Array> | null;

/** A kind of success: its status and content, as data, and how a handler's result is sent. */
export interface Answer<T> {
  readonly status: number;
  readonly description: string;
  /** Null for an answer without a body. */
  readonly content: { readonly type: string; readonly schema: JsonSchema } | null;
  payload(result: T): Payload;
}

export const jsonType = 'application/json; charset=utf-8';

/** The handler's result as JSON. */
export function json<const S extends JsonSchema>(
  description: string,
  schema: S,
  status = 200,
): Answer<Infer<S>> {
  return {
    status,
    description,
    content: { type: jsonType, schema },
    payload: jsonPieces,
  };
}

/** JSON of any size, which the handler writes itself. */
export function streamedJson(description: string, schema: JsonSchema): Answer<Readable> {
  return {
    status: 200,
    description,
    content: { type: jsonType, schema },
    payload: (result) => result,
  };
}

/** A page, a text or bytes, whole or streamed. */
export function content(description: string, type: string): Answer<string | Uint8Array | Readable> {
  return {
    status: 200,
    description,
    content: { type, schema: type.startsWith('text/') ? { type: 'string' } : {} },
    payload: (result) => (result instanceof Readable ? result : inOnePiece(result)),
  };
}

/** Nothing but a status. */
export function empty(description: string): Answer<void> {
  return { status: 204, description, content: null, payload: () => null };
}

async function* inOnePiece(text: string | Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}
