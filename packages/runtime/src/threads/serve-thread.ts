import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { isTroveError } from '@trove/core';
import { redact } from '../plugins/redact.js';
import type {
  Call,
  ThreadOperations,
  Part,
  PartReply,
  PlainError,
  Reply,
  Stray,
  ThreadStart,
} from './messages.js';

const longestStray = 2000;
const secrets = new Set<string>();

/** Removes these from every error that leaves the thread. */
export function keepSecret(traces: readonly string[]): void {
  for (const trace of traces) secrets.add(trace);
}

export type Handlers<R extends ThreadOperations<R>> = {
  readonly [O in keyof R]: (
    request: R[O]['request'],
    send: (part: Part<R, O>) => void,
  ) => Promise<R[O]['result']> | R[O]['result'];
};

/**
 * The thread's side of a `ThreadPool`: answers its calls, in their order as long as a handler computes without waiting.
 * Call it once, in the pool's `module`. `handlersOf` receives the pool's `setup`; `buffersOf` names what of a result or a
 * part is transferred instead of copied.
 */
export function serveThread<R extends ThreadOperations<R>>(
  handlersOf: (setup: never) => Handlers<R>,
  buffersOf: (sent: R[keyof R]['result'] | Part<R, keyof R>) => ArrayBuffer[] = () => [],
): void {
  if (parentPort === null) throw new Error('serveThread must be called in a worker thread');
  const port = parentPort;
  const { setup, isAwaited }: ThreadStart = workerData;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool starts its threads with nothing else
  const handlers = handlersOf(setup as never);
  const answer = async <O extends keyof R>({ id, operation, request }: Call<R, O>) => {
    try {
      const result = await handlers[operation](request, (part) => {
        port.postMessage({ id, part } satisfies PartReply, buffersOf(part));
      });
      port.postMessage({ id, ok: true, result } satisfies Reply, buffersOf(result));
    } catch (error) {
      port.postMessage({ id, ok: false, error: plainError(error) } satisfies Reply);
    }
  };
  if (!isAwaited) giveWay();
  // Errors that a plugin leaves unhandled belong to no call: the thread continues.
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error: unknown) => {
      port.postMessage({
        stray: withoutSecrets(said(error)).slice(0, longestStray),
      } satisfies Stray);
    });
  port.on('message', (call: Call<R>) => void answer(call));
}

/** On Linux this lowers only this thread: answering requests takes precedence over computing. */
function giveWay(): void {
  try {
    setPriority(15);
  } catch {
    // Not permitted here; equal priority works too.
  }
}

function plainError(error: unknown): PlainError {
  const message = error instanceof Error ? error.message : error;
  const detail = withoutSecrets(message);
  if (!isTroveError(error)) {
    return { code: 'internal_error', detail, suggestions: [], retryable: false };
  }
  const { code, retryable, retryAfterMs } = error;
  const suggestions = error.suggestions.map(withoutSecrets);
  return {
    code,
    detail,
    suggestions,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function said(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'something that is no error, and throws when it is looked at';
  }
}

function withoutSecrets(text: unknown): string {
  return redact(String(text), [...secrets]);
}
