import type { ErrorCode, JsonSchema } from '@trove/core';
import type { Rights } from '@trove/engine/api';
import type { OperationResponse } from './response.js';
import { noBody, type NoBody, type RequestBody } from './body.js';
import type { Exposure } from './exposure.js';
import { errorEnvelope, type ErrorFormat } from './error-format.js';

export const tags = [
  'Access',
  'Browse',
  'Connectors',
  'Graph',
  'Ingest',
  'Retrieval',
  'Server',
] as const;
export type Tag = (typeof tags)[number];

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The number of concurrent requests. Operations with the same object share the limit. */
export interface GateLimits {
  readonly maxRunning: number;
  /** Maximum number of waiting requests, whose bodies are not read yet. Further requests fail with `overloaded`. */
  readonly maxWaiting: number;
}

/** The required members of a row. */
interface OperationBase<A extends OperationResponse> {
  readonly tag: Tag;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly method: HttpMethod;
  /** In OpenAPI notation: `/v1/jobs/{job_id}`. */
  readonly path: string;
  readonly response: A;
  /** Error codes beyond those of every operation. See `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly isPublic?: boolean;
  /** The rights that a caller needs. */
  readonly rights: Rights;
  /** The response depends on all sources, so a token with paths may not use the operation. */
  readonly concernsAllSources?: boolean;
  /** Programs poll this operation to check the server's health. Its responses are logged only at debug level. */
  readonly isPolled?: boolean;
  /** Works without a running engine. */
  readonly withoutEngine?: boolean;
  /** Parameters of the query or the body that change the form of the response. The clients with types omit them. */
  readonly untypedParameters?: readonly string[];
  readonly gate?: GateLimits;
  readonly exposure: Exposure;
}

/** An operation as data, from which all public interfaces are made. */
export interface Operation<
  A extends OperationResponse = OperationResponse,
  P extends JsonSchema = JsonSchema,
  Q extends JsonSchema = JsonSchema,
  B extends RequestBody = RequestBody,
> extends OperationBase<A> {
  /** The schema of the path parameters, an object. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly errorFormat: ErrorFormat;
}

/** An operation with its key in the table, which is its `operationId` and its method in the clients. */
export interface NamedOperation extends Operation {
  readonly name: string;
}

/** A row of the table. Missing schemas mean no input. A missing `errorFormat` means the default format. */
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

/** Completes a row with its defaults. */
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
