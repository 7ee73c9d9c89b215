import type { ErrorCode, JsonSchema } from '@trove/core';
import type { Answer } from './answer.js';
import { noBody, type NoBody, type RequestBody } from './body.js';
import type { Doors } from './doors.js';
import { envelope, type ErrorShape } from './error-shape.js';

export const tags = ['Browse', 'Connectors', 'Graph', 'Ingest', 'Retrieval', 'Server'] as const;
export type Tag = (typeof tags)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How many requests of an operation run at once. Operations with the same object share these places. */
export interface GateLimits {
  readonly maxRunning: number;
  /** The bodies of waiting requests are not read yet. Further requests are refused as `overloaded`. */
  readonly maxWaiting: number;
}

/** The members that every row states. */
interface Facts<A extends Answer> {
  readonly tag: Tag;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** In OpenAPI notation: `/v1/jobs/{job_id}`. */
  readonly path: string;
  readonly answer: A;
  /** Error codes in addition to those of every operation; see `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly open?: boolean;
  /** The operation only reads, although its method is not GET. */
  readonly reads?: boolean;
  /** Programs poll this operation to check the server's health. Its answers are logged at debug level only. */
  readonly polled?: boolean;
  /** Answers regardless of the engine's state. */
  readonly withoutEngine?: boolean;
  readonly gate?: GateLimits;
  readonly doors: Doors;
}

/** An operation as data: what each public interface needs to offer it. */
export interface Operation<
  A extends Answer = Answer,
  P extends JsonSchema = JsonSchema,
  Q extends JsonSchema = JsonSchema,
  B extends RequestBody = RequestBody,
> extends Facts<A> {
  /** The object of path parameters. */
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly errorShape: ErrorShape;
}

/** An operation with its key in the table: its `operationId`, and its method in clients. */
export interface NamedOperation extends Operation {
  readonly name: string;
}

/** A row of the table. Missing schemas mean no input; a missing `errorShape` means the envelope. */
interface Row<
  A extends Answer,
  P extends JsonSchema,
  Q extends JsonSchema,
  B extends RequestBody,
> extends Facts<A> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly errorShape?: ErrorShape;
}

const nothing = {
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const satisfies JsonSchema;

const defaults = { params: nothing, query: nothing, body: noBody, errorShape: envelope };

/** A row with its defaults. */
export function operation<
  A extends Answer,
  const P extends JsonSchema = typeof nothing,
  const Q extends JsonSchema = typeof nothing,
  B extends RequestBody = NoBody,
>(row: Row<A, P, Q, B>): Operation<A, P, Q, B>;
export function operation(row: Row<Answer, JsonSchema, JsonSchema, RequestBody>): Operation {
  return { ...defaults, ...row };
}
