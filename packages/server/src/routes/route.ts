import type { Readable } from 'node:stream';
import type { Infer } from '@trove/core';
import type { GateLimits, NamedOperation, Operation } from '@trove/operations';
import { acceptRequest, Gate, type CallOptions, type TroveOperations } from 'trove';
import { toResponse, type HandlerResult, type ServedResponse } from '../http/response.js';
import { receive, type ReceivedBody } from '../http/body/receive.js';
import type { IncomingBody } from '../http/body/incoming.js';
import type { SendEvent } from '../http/events.js';
import { GateSlot } from '../http/gate-slot.js';
import { prefixErrorPath } from '../http/error-path.js';
import type { Metrics } from '../metrics/metrics.js';

/** A received request. It is not validated, but query strings are converted to the types in the schemas. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  /** The body is read after the other parts are validated. */
  readonly incoming: IncomingBody;
}

/** The context of a handler, besides the engine. */
export interface CallContext extends CallOptions {
  /** The metrics of this server. */
  readonly metrics: Metrics;
  /** The server's address as the client used it: `http://127.0.0.1:13619`. Null behind a proxy. */
  readonly origin: string | null;
  /** Returns a header of the request, or ''. */
  header(name: string): string;
  /** Whether the client prefers server-sent events to JSON. */
  readonly acceptsEvents: boolean;
  /** Returns a response of server-sent events. See `streamEvents` in `http/events.ts`. */
  readonly streamEvents: (run: (send: SendEvent) => Promise<unknown>) => Promise<Readable>;
}

/** An operation with the handler that serves it. */
export interface Route extends NamedOperation {
  /** Validates the request, receives its body and calls the handler. */
  run(engine: TroveOperations, input: RawInput, context: CallContext): Promise<ServedResponse>;
}

export interface HandlerOptions extends CallOptions {
  /** Restarts the timeout of a long call that makes progress. */
  readonly onProgress: () => void;
}

/** Handles valid requests of an operation. The operation determines the types of its input and its result. */
export type Handler<O extends Operation> = (
  engine: TroveOperations,
  input: {
    readonly params: Infer<O['params']>;
    readonly query: Infer<O['query']>;
    readonly body: ReceivedBody<O['body']>;
  },
  context: CallContext & HandlerOptions,
) => HandlerResult<O['response']> | Promise<HandlerResult<O['response']>>;

/** Operations by name. */
type OperationsByName<T> = { readonly [Name in keyof T]: Operation };

/** A handler for each operation, by name. */
export type HandlersOf<T extends OperationsByName<T>> = {
  readonly [Name in keyof T]: Handler<T[Name]>;
};

/** Returns the routes of a group of operations, with `base` before their paths. */
export function routesOf<T extends OperationsByName<T>>(
  operations: T,
  handlers: HandlersOf<T>,
  base = '',
): Route[] {
  const gates = new Map<GateLimits, Gate>();
  const gateFor = (limits: GateLimits): Gate => {
    const gate = gates.get(limits) ?? new Gate(limits.maxRunning, limits.maxWaiting);
    gates.set(limits, gate);
    return gate;
  };
  const routes: Route[] = [];
  for (const name in operations) {
    const operation = operations[name];
    const gate = operation.gate === undefined ? undefined : gateFor(operation.gate);
    const bound = route(name, operation, handlers[name], gate);
    routes.push({ ...bound, path: `${base}${bound.path}` });
  }
  return routes;
}

/** Binds a handler to an operation. `gate` limits how many requests are received and handled at once. */
export function route<O extends Operation>(
  name: string,
  operation: O,
  handle: Handler<O>,
  gate?: Gate,
): Route {
  const { params, query, body, response } = operation;
  return {
    ...operation,
    name,
    run: async (engine, input, context) => {
      const accepted = {
        params: acceptRequest<O['params']>(params, input.params, 'path'),
        query: acceptRequest<O['query']>(query, input.query, 'query'),
      };
      const { incoming } = input;
      const slot = gate === undefined ? null : new GateSlot(gate, incoming.signal);
      try {
        const admitted = slot === null ? incoming : { ...incoming, admit: () => slot.acquire() };
        const { value, release } = await receive<O['body']>(body, admitted);
        try {
          const onProgress = (): void => incoming.extend();
          const result = await handle(
            engine,
            { ...accepted, body: value },
            { ...context, onProgress },
          );
          return toResponse(response, result);
        } catch (error) {
          throw prefixErrorPath(error, {
            body: value,
            query: accepted.query,
            path: accepted.params,
          });
        } finally {
          await release?.();
        }
      } finally {
        slot?.release();
      }
    },
  };
}
