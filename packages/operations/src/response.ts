import type { JsonSchema } from '@trove/core';

/** A successful response of an operation. */
export interface Success {
  readonly status: number;
  readonly description: string;
  /** Null for a response without a body. */
  readonly content: { readonly type: string; readonly schema: JsonSchema } | null;
  /** The events for callers that accept `text/event-stream`, in Markdown. Missing if there are none. */
  readonly events?: string;
  /** Headers beyond those of every response. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface JsonResponse<
  S extends JsonSchema = JsonSchema,
  O extends JsonSchema = JsonSchema,
> {
  readonly kind: 'json';
  readonly successes: readonly Success[];
  readonly schema: S;
  /** Other forms of the result, for callers that request them. The OpenAPI document omits them. */
  readonly alternatives: readonly O[];
}

/** JSON, or the same result at the end of server-sent events. */
export interface JsonOrEventsResponse<S extends JsonSchema = JsonSchema> {
  readonly kind: 'json-or-events';
  readonly successes: readonly Success[];
  readonly schema: S;
}

/** JSON of any size that the handler writes as a stream. */
export interface StreamedJsonResponse {
  readonly kind: 'streamed-json';
  readonly successes: readonly Success[];
}

/** A page, a text or bytes, buffered or streamed. */
export interface ContentResponse {
  readonly kind: 'content';
  readonly successes: readonly Success[];
}

export interface EmptyResponse {
  readonly kind: 'empty';
  readonly successes: readonly Success[];
}

type ResponsesByStatus = Readonly<Record<number, SingleResponse>>;

/** One of several responses. The handler names the status: `{ status: 202, result }`. */
export interface ResponseByStatus<C extends ResponsesByStatus = ResponsesByStatus> {
  readonly kind: 'by-status';
  readonly successes: readonly Success[];
  readonly choices: C;
}

export type SingleResponse =
  | JsonResponse
  | JsonOrEventsResponse
  | StreamedJsonResponse
  | ContentResponse
  | EmptyResponse;
export type OperationResponse = SingleResponse | ResponseByStatus;

export const jsonType = 'application/json; charset=utf-8';
export const eventsType = 'text/event-stream';

/** Declares that the handler's result is sent as JSON. */
export function jsonResponse<const S extends JsonSchema>(
  description: string,
  schema: S,
  status = 200,
): JsonResponse<S, never> {
  return {
    kind: 'json',
    successes: [jsonSuccess(description, schema, status)],
    schema,
    alternatives: [],
  };
}

/** The same, but the handler may return another form of the result for callers that request it. */
export function jsonOrOtherResponse<const S extends JsonSchema, const O extends JsonSchema>(
  description: string,
  schema: S,
  other: O,
): JsonResponse<S, O> {
  return { ...jsonResponse(description, schema), alternatives: [other] };
}

/** Declares a result that is sent as JSON, or as server-sent events to callers that accept them. */
export function jsonOrEventsResponse<const S extends JsonSchema>(
  description: string,
  schema: S,
  events: string,
): JsonOrEventsResponse<S> {
  const success = { ...jsonSuccess(description, schema, 200), events };
  return { kind: 'json-or-events', successes: [success], schema };
}

export function streamedJsonResponse(
  description: string,
  schema: JsonSchema,
): StreamedJsonResponse {
  return { kind: 'streamed-json', successes: [jsonSuccess(description, schema, 200)] };
}

export function contentResponse(
  description: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): ContentResponse {
  const schema: JsonSchema = type.startsWith('text/') ? { type: 'string' } : {};
  const success = { status: 200, description, content: { type, schema }, headers };
  return { kind: 'content', successes: [success] };
}

/** Declares a response that is only a status. */
export function emptyResponse(description: string): EmptyResponse {
  return { kind: 'empty', successes: [{ status: 204, description, content: null }] };
}

export function responseByStatus<const C extends ResponsesByStatus>(
  choices: C,
): ResponseByStatus<C> {
  const successes = Object.entries<SingleResponse>(choices).flatMap(([status, answer]) =>
    answer.successes.map((success) => ({ ...success, status: Number(status) })),
  );
  return { kind: 'by-status', successes, choices };
}

function jsonSuccess(description: string, schema: JsonSchema, status: number): Success {
  return { status, description, content: { type: jsonType, schema } };
}
