import { setTimeout as delay } from 'node:timers/promises';

/** A request with its answer. */
interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly body: unknown;
  };
  readonly status: number;
}

/** The members of a fake service of `@trove/connector-kit/http/fake` that a program needs. `A`: its answers. */
interface ServedFake<A> {
  readonly exchanges: readonly Exchange[];
  forget(): void;
  addFault(fault: {
    readonly matches: () => boolean;
    readonly times: number;
    readonly apply: (request: unknown, normal: () => Promise<A>) => Promise<A>;
  }): void;
  stop(): Promise<void>;
}

/** The source with which a server reads from a fake service. */
export interface FakeSource {
  readonly target: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What happens in the service, by name. */
export type FakeSteps = Readonly<Record<string, (argument: number) => void>>;

/** A successful or refused request of a fake service. */
export interface ReceivedRequest {
  /** `GET /issues?page=2`, with the body of a request that has one. */
  readonly text: string;
  readonly status: number;
}

/** A message from the parent: a step to run. */
export interface StepCall {
  readonly id: number;
  readonly step: string;
  readonly argument: number;
}

/** The number of requests so far, or the end of a step. */
export type FakeMessage =
  | { readonly source: FakeSource }
  | { readonly arrived: number }
  | { readonly id: number; readonly requests: readonly ReceivedRequest[] }
  | { readonly id: number; readonly problem: string };

/**
 * Serves a fake service in a process of its own, which `FakeProcess` starts. Ends with the parent. Steps of every service:
 * `requests`, `forget`, and `slow`, after which each request takes that many milliseconds, as in a remote service.
 */
export function serveFake<A>(service: ServedFake<A>, source: FakeSource, steps: FakeSteps): void {
  let latencyMs = 0;
  const own: FakeSteps = {
    ...steps,
    slow: (ms) => {
      latencyMs = ms;
    },
    requests: () => undefined,
    forget: () => service.forget(),
  };
  let arrived = 0;
  service.addFault({
    matches: () => {
      send({ arrived: ++arrived });
      return latencyMs > 0;
    },
    times: Infinity,
    apply: async (_request, normal) => {
      await delay(latencyMs);
      return normal();
    },
  });
  process.on('message', (call: StepCall) => {
    const { id, step, argument } = call;
    try {
      const run = own[step];
      if (run === undefined) throw new Error(`The fake has no step ${step}`);
      run(argument);
      send({ id, requests: step === 'requests' ? service.exchanges.map(toReceived) : [] });
    } catch (error) {
      send({ id, problem: String(error) });
    }
  });
  process.once('disconnect', () => void service.stop());
  send({ source });
}

function send(message: FakeMessage): void {
  process.send?.(message);
}

function toReceived({ request, status }: Exchange): ReceivedRequest {
  const { method, path, query, body } = request;
  const search = query.size === 0 ? '' : `?${decodeURIComponent(query.toString())}`;
  return {
    text: `${method} ${path}${search}${body === null ? '' : ` ${JSON.stringify(body)}`}`,
    status,
  };
}
