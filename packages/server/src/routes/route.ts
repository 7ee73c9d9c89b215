import type { ErrorCode, Infer, JsonSchema } from '@trove/core';
import { acceptRequest, type CallOptions, type Gate, type Trove } from 'trove';
import type { Answer, Sent } from '../http/answer.js';
import type { Metrics } from '../metrics/metrics.js';
import { noBody, type Incoming, type RequestBody } from '../http/body/request-body.js';
import { envelope, type ErrorShape } from '../http/error-shape.js';
import { Place } from '../http/place.js';
import { placedError } from '../http/placed-error.js';

export const tags = ['Browse', 'Connectors', 'Graph', 'Ingest', 'Retrieval', 'Server'] as const;
export type Tag = (typeof tags)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request as received: nothing validated, but query strings converted to the types in the schemas. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  /** Its body is read once the rest is valid. */
  readonly incoming: Incoming;
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
  /** Error codes in addition to those of every route. */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly open?: boolean;
  /** The route only reads, although its method is not GET. */
  readonly reads?: boolean;
  /** Programs poll this route to check the server's health. Its answers are logged at debug level only. */
  readonly polled?: boolean;
  /** Answers on its own, regardless of the engine's state. */
  readonly withoutEngine?: boolean;
  /** Bounds how many requests are received and handled at once; the bodies of others wait to be read. */
  readonly gate?: Gate;
}

/** What a handler may use besides the engine. */
export interface CallContext extends CallOptions {
  /** The metrics of the called server. */
  readonly metrics: Metrics;
  /** The address that the client used: `http://127.0.0.1:13619`. */
  readonly origin: string;
  /** A header of the request, '' without it. */
  header(name: string): string;
}

export interface Route extends RouteFacts {
  readonly params: JsonSchema;
  readonly query: JsonSchema;
  readonly body: Pick<RequestBody<unknown>, 'content'>;
  readonly answer: Pick<Answer<unknown>, 'successes'>;
  readonly errorShape: ErrorShape;
  /** Validates the request, receives its body and runs the handler. */
  run(engine: Trove, input: RawInput, context: CallContext): Promise<Sent>;
}

/** The declaration of a route. Missing schemas mean no input; a missing `errorShape` means the envelope. */
interface Row<P, Q, B, A> extends RouteFacts {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: RequestBody<B>;
  readonly answer: Answer<A>;
  readonly errorShape?: ErrorShape;
}

const none = {
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const satisfies JsonSchema;

const defaults = { params: none, query: none, body: noBody, errorShape: envelope };

export interface HandlerOptions extends CallOptions {
  /** Gives the call its whole time again, for what takes long and gets on. */
  readonly onProgress: () => void;
}

/** A row of the route table; the handler's input and result are typed by the row. */
export function route<
  A,
  const P extends JsonSchema = typeof none,
  const Q extends JsonSchema = typeof none,
  B = undefined,
>(
  row: Row<P, Q, B, A>,
  handle: (
    engine: Trove,
    input: { readonly params: Infer<P>; readonly query: Infer<Q>; readonly body: B },
    context: CallContext & HandlerOptions,
  ) => A | Promise<A>,
): Route {
  // What a row leaves out has the type of its default.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const whole = { ...defaults, ...row } as Required<Row<P, Q, B, A>>;
  const { params, query, body, answer } = whole;
  return {
    ...whole,
    run: async (engine, input, context) => {
      const accepted = {
        params: acceptRequest(params, input.params, 'path'),
        query: acceptRequest(query, input.query, 'query'),
      };
      const { incoming } = input;
      const place = row.gate === undefined ? null : new Place(row.gate, incoming.signal);
      try {
        const admitted = place === null ? incoming : { ...incoming, admit: () => place.take() };
        const { value, release } = await body.receive(admitted);
        try {
          const onProgress = (): void => incoming.extend();
          const result = await handle(
            engine,
            { ...accepted, body: value },
            { ...context, onProgress },
          );
          return answer.send(result);
        } catch (error) {
          throw placedError(error, { body: value, query: accepted.query, path: accepted.params });
        } finally {
          await release?.();
        }
      } finally {
        place?.leave();
      }
    },
  };
}
