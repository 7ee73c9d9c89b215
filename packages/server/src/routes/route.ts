import type { ErrorCode, Infer, JsonSchema } from '@trove/core';
import { acceptRequest, type CallOptions, type Engine } from 'trove';

export const tags = ['Browse', 'Connectors', 'Ingest', 'Retrieval', 'Server'] as const;
export type Tag = (typeof tags)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request as received: nothing validated, but query strings converted to the types in the schemas. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  /** Reads the body, once the rest of the request is valid. */
  body(): Promise<unknown>;
}

interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** The source of the router, the validation, the OpenAPI document and the reference page. */
export interface RouteFacts {
  readonly method: Method;
  /** In OpenAPI notation: `/v1/jobs/{job_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: Tag;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly response: { readonly description: string; readonly schema: JsonSchema };
  /** Codes besides those of every route. */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly open?: boolean;
  /** Answers on its own, regardless of the engine's state. */
  readonly withoutEngine?: boolean;
}

/** The schemas of a route's input; `none` for parts it does not take. */
interface RouteSchemas<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export interface Route extends RouteFacts, RouteSchemas<JsonSchema, JsonSchema, JsonSchema> {
  /** Validates and calls the engine. Returns a value to send as JSON, or a stream of JSON text. */
  run(engine: Engine, input: RawInput, options: CallOptions): Promise<unknown>;
}

export const none = {
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const satisfies JsonSchema;

export function takesBody({ body }: Route): boolean {
  return body !== none;
}

/** A row of the route table; the handler's input is typed by the row's schemas. */
export function route<
  const P extends JsonSchema,
  const Q extends JsonSchema,
  const B extends JsonSchema,
>(
  row: RouteFacts & RouteSchemas<P, Q, B>,
  handle: (
    engine: Engine,
    input: Input<Infer<P>, Infer<Q>, Infer<B>>,
    options: CallOptions,
  ) => unknown,
): Route {
  return {
    ...row,
    run: async (engine, input, options) => {
      const params = acceptRequest(row.params, input.params, 'path');
      const query = acceptRequest(row.query, input.query, 'query');
      const body = acceptRequest(row.body, await input.body(), 'body');
      return handle(engine, { params, query, body }, options);
    },
  };
}
