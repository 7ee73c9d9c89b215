import { Readable } from 'node:stream';
import type { Infer } from '@trove/core';
import { eventsType } from '@trove/operations';
import type {
  OperationResponse,
  ResponseByStatus,
  ContentResponse,
  EmptyResponse,
  JsonOrEventsResponse,
  JsonResponse,
  StreamedJsonResponse,
  Success,
} from '@trove/operations';
import { jsonPieces } from './json-pieces.js';

/** A response body: a stream, pieces that are buffered until they are sent, or null for no body. */
export type Payload = Readable | AsyncIterable<Uint8Array> | null;

/** A successful response. */
export interface ServedResponse {
  readonly success: Success;
  readonly payload: Payload;
}

/** The result type of a handler for an answer. */
export type HandlerResult<A extends OperationResponse> =
  A extends JsonResponse<infer S, infer O>
    ? Infer<S> | Infer<O>
    : A extends JsonOrEventsResponse<infer S>
      ? Infer<S> | Readable
      : A extends StreamedJsonResponse
        ? Readable
        : A extends ContentResponse
          ? string | Uint8Array | Readable
          : A extends EmptyResponse
            ? void
            : A extends ResponseByStatus<infer C>
              ? { [S in keyof C & number]: ResultByStatus<S, C[S]> }[keyof C & number]
              : never;

interface ResultByStatus<S extends number, A extends OperationResponse> {
  readonly status: S;
  readonly result: HandlerResult<A>;
}

/** Converts the result of a handler to the response of its operation. */
export function toResponse(answer: OperationResponse, result: unknown): ServedResponse {
  if (answer.kind === 'by-status') return toResponseByStatus(answer, result);
  const [success] = answer.successes;
  if (success === undefined) throw new Error('the answer has no success');
  const isStreamed = answer.kind === 'json-or-events' && result instanceof Readable;
  return {
    success: isStreamed ? toEventsSuccess(success) : success,
    payload: payloadOf(answer.kind, result),
  };
}

/** Proxies must neither keep the events nor collect them. */
function toEventsSuccess(success: Success): Success {
  return {
    ...success,
    content: { type: eventsType, schema: { type: 'string' } },
    headers: { ...success.headers, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  };
}

function toResponseByStatus({ choices }: ResponseByStatus, result: unknown): ServedResponse {
  if (!hasStatus(result)) throw new TypeError('the handler returned no status');
  const { status } = result;
  const answer = choices[status];
  if (answer === undefined) throw new Error(`the route does not answer with ${status}`);
  const { success, payload } = toResponse(answer, result.result);
  return { success: { ...success, status }, payload };
}

function hasStatus(value: unknown): value is { status: number; result: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'result' in value &&
    'status' in value &&
    typeof value.status === 'number'
  );
}

function payloadOf(
  kind: Exclude<OperationResponse['kind'], 'by-status'>,
  result: unknown,
): Payload {
  if (kind === 'empty') return null;
  if (kind === 'json') return jsonPieces(result);
  if (result instanceof Readable) return result;
  if (kind === 'json-or-events') return jsonPieces(result);
  if (typeof result === 'string' || result instanceof Uint8Array) return toSinglePiece(result);
  throw new TypeError('the handler must return a string, bytes or a stream');
}

async function* toSinglePiece(text: string | Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}
