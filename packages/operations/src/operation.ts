import type { ErrorCode, JsonSchema } from '@trove/core';
import type { OperationResponse } from './response.js';
import { noBody, type NoBody, type RequestBody } from './body.js';
import type { Exposure } from './exposure.js';
import { errorEnvelope, type ErrorFormat } from './error-format.js';

export const tags = ['Browse', 'Connectors', 'Graph', 'Ingest', 'Retrieval', 'Server'] as const;
export type Tag = (typeof tags)[number];

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How many requests of an operation run at once. Operations with the same object share these places. */
export interface GateLimits {
  readonly maxRunning: number;
  /** The bodies of waiting requests are not read yet. Further requests are refused as `overloaded`. */
  readonly maxWaiting: number;
}

/** The members that every row states. */
interface OperationBase<A extends OperationResponse> {
  readonly tag: Tag;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly method: HttpMethod;
  /** In OpenAPI notation: `/v1/jobs/{job_id}`. */
  readonly path: string;
  readonly response: A;
  /** Error codes in addition to those of every operation; see `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly isPublic?: boolean;
  /** The operation only reads, although its method is not GET. */
  readonly isReadOnly?: boolean;
  /** Programs poll this operation to check the server's health. Its answers are logged at debug level only. */
  readonly isPolled?: boolean;
  /** Answers regardless of the engine's state. */
  readonly withoutEngine?: boolean;
  readonly gate?: GateLimits;
  readonly exposure: Exposure;
}

/** An operation as data: what each public interface needs to offer it. */
export interface Operation<
  A extends OperationResponse = OperationResponse,
  P extends JsonSchema = JsonSchema,
  Q extends JsonSchema = JsonSchema,
  B extends RequestBody = RequestBody,
> extends OperationBase<A> {
  /** The object of path parameters. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly errorFormat: ErrorFormat;
}

/** An operation with its key in the table: its `operationId`, and its method in clients. */
export interface NamedOperation extends Operation {
  readonly name: string;
}

/** A row of the table. Missing schemas mean no input; a missing `errorFormat` means the envelope. */
interface OperationRow<
  A extends OperationResponse,
  P extends JsonSchema,
  Q extends JsonSchema,
  B extends RequestBody,
> extends OperationBase<A> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly errorFormat?: ErrorFormat;
}

const noParameters = {
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const satisfies JsonSchema;

const defaults = {
  params: noParameters,
  query: noParameters,
  body: noBody,
  errorFormat: errorEnvelope,
};

/** A row with its defaults. */
export function operation<
  A extends OperationResponse,
  const P extends JsonSchema = typeof noParameters,
  const Q extends JsonSchema = typeof noParameters,
  B extends RequestBody = NoBody,
>(row: OperationRow<A, P, Q, B>): Operation<A, P, Q, B>;
export function operation(
  row: OperationRow<OperationResponse, JsonSchema, JsonSchema, RequestBody>,
): Operation {
  return { ...defaults, ...row };
}
