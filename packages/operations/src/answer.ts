import type { JsonSchema } from '@trove/core';

/** One way in which an operation succeeds. */
export interface Success {
  readonly status: number;
  readonly description: string;
  /** Null for an answer without a body. */
  readonly content: { readonly type: string; readonly schema: JsonSchema } | null;
  /** Headers besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonAnswer<S extends JsonSchema = JsonSchema, O extends JsonSchema = JsonSchema> {
  readonly kind: 'json';
  readonly successes: readonly Success[];
  readonly schema: S;
  /** Other forms of the result, for callers that ask for them. The OpenAPI document does not describe them. */
  readonly others: readonly O[];
}

/** JSON of any size that the handler writes as a stream. */
export interface StreamedJsonAnswer {
  readonly kind: 'streamed-json';
  readonly successes: readonly Success[];
}

/** A page, a text or bytes, whole or streamed. */
export interface ContentAnswer {
  readonly kind: 'content';
  readonly successes: readonly Success[];
}

export interface EmptyAnswer {
  readonly kind: 'empty';
  readonly successes: readonly Success[];
}

type AnswersByStatus = Readonly<Record<number, SingleAnswer>>;

/** One of several answers. The handler names the status: `{ status: 202, result }`. */
export interface AnswerByStatus<C extends AnswersByStatus = AnswersByStatus> {
  readonly kind: 'by-status';
  readonly successes: readonly Success[];
  readonly choices: C;
}

export type SingleAnswer = JsonAnswer | StreamedJsonAnswer | ContentAnswer | EmptyAnswer;
export type Answer = SingleAnswer | AnswerByStatus;

export const jsonType = 'application/json; charset=utf-8';

/** The handler's result as JSON. */
export function json<const S extends JsonSchema>(
  description: string,
  schema: S,
  status = 200,
): JsonAnswer<S, never> {
  return {
    kind: 'json',
    successes: [jsonSuccess(description, schema, status)],
    schema,
    others: [],
  };
}

/** The same; the handler may return the result in another form for callers that ask for it. */
export function jsonOrOther<const S extends JsonSchema, const O extends JsonSchema>(
  description: string,
  schema: S,
  other: O,
): JsonAnswer<S, O> {
  return { ...json(description, schema), others: [other] };
}

export function streamedJson(description: string, schema: JsonSchema): StreamedJsonAnswer {
  return { kind: 'streamed-json', successes: [jsonSuccess(description, schema, 200)] };
}

export function content(
  description: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): ContentAnswer {
  const schema: JsonSchema = type.startsWith('text/') ? { type: 'string' } : {};
  const success = { status: 200, description, content: { type, schema }, headers };
  return { kind: 'content', successes: [success] };
}

/** Only a status. */
export function empty(description: string): EmptyAnswer {
  return { kind: 'empty', successes: [{ status: 204, description, content: null }] };
}

export function byStatus<const C extends AnswersByStatus>(choices: C): AnswerByStatus<C> {
  const successes = Object.entries<SingleAnswer>(choices).flatMap(([status, answer]) =>
    answer.successes.map((success) => ({ ...success, status: Number(status) })),
  );
  return { kind: 'by-status', successes, choices };
}

function jsonSuccess(description: string, schema: JsonSchema, status: number): Success {
  return { status, description, content: { type: jsonType, schema } };
}
