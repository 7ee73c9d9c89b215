import { Readable } from 'node:stream';
import type { Infer, JsonSchema } from '@trove/core';
import { jsonPieces } from './json-pieces.js';

/** What goes out as a body: a stream, written as it comes; pieces, counted and held until they are sent; null for none. */
export type Payload = Readable | AsyncIterable<Uint8Array> | null;

/** One way in which a route succeeds, as data. */
export interface Success {
  readonly status: number;
  readonly description: string;
  /** Null for an answer without a body. */
  readonly content: { readonly type: string; readonly schema: JsonSchema } | null;
  /** Besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A success as it is sent. */
export interface Sent {
  readonly success: Success;
  readonly payload: Payload;
}

/** How a route answers: in which ways it succeeds, and which of them a handler's result is. */
export interface Answer<T> {
  readonly successes: readonly Success[];
  send(result: T): Sent;
}

export const jsonType = 'application/json; charset=utf-8';

/** The handler's result as JSON. */
export function json<const S extends JsonSchema>(
  description: string,
  schema: S,
  status = 200,
): Answer<Infer<S>> {
  return always({ status, description, content: { type: jsonType, schema } }, jsonPieces);
}

/** The same; what a handler says is the result in another form, for callers who ask for that, is not described. */
export function jsonOrOther<const S extends JsonSchema, O>(
  description: string,
  schema: S,
): Answer<Infer<S> | O> {
  return always(
    { status: 200, description, content: { type: jsonType, schema } },
    (result: Infer<S> | O) => jsonPieces(result),
  );
}

/** JSON of any size, which the handler writes itself. */
export function streamedJson(description: string, schema: JsonSchema): Answer<Readable> {
  const success = { status: 200, description, content: { type: jsonType, schema } };
  return always(success, (result) => result);
}

/** A page, a text or bytes, whole or streamed. */
export function content(
  description: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Answer<string | Uint8Array | Readable> {
  const schema: JsonSchema = type.startsWith('text/') ? { type: 'string' } : {};
  return always({ status: 200, description, content: { type, schema }, headers }, (result) =>
    result instanceof Readable ? result : inOnePiece(result),
  );
}

/** Nothing but a status. */
export function empty(description: string): Answer<void> {
  return always({ status: 204, description, content: null }, () => null);
}

/** One of several, by status; the handler says which: `{ status: 202 as const, result }`. */
export function oneOf<const C extends Readonly<Record<number, Answer<unknown>>>>(
  choices: C,
): Answer<Choice<C>> {
  return {
    successes: Object.entries(choices).flatMap(([status, { successes }]) =>
      successes.map((success) => ({ ...success, status: Number(status) })),
    ),
    send: ({ status, result }) => {
      const sent = choices[status]?.send(result);
      if (sent === undefined) throw new Error(`the route does not answer with ${status}`);
      return { ...sent, success: { ...sent.success, status } };
    },
  };
}

type Choice<C> = {
  [S in keyof C & number]: { readonly status: S; readonly result: ResultOf<C[S]> };
}[keyof C & number];

type ResultOf<A> = A extends Answer<infer T> ? T : never;

function always<T>(success: Success, payload: (result: T) => Payload): Answer<T> {
  return { successes: [success], send: (result) => ({ success, payload: payload(result) }) };
}

async function* inOnePiece(text: string | Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}
