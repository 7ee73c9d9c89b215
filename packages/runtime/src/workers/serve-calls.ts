import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { isTroveError } from '@trove/core';
import { redact } from '../plugins/redact.js';
import type {
  WorkerCall,
  CallOperations,
  PartOf,
  PartReply,
  SerializedError,
  Reply,
  StrayError,
} from './call-messages.js';
import { openProcessChannel, type WorkerChannel } from './process-channel.js';

const maxStrayChars = 2000;
const secrets = new Set<string>();

/** Adds secrets that are removed from every error of the thread. */
export function addSecrets(variants: readonly string[]): void {
  for (const variant of variants) secrets.add(variant);
}

export type Handlers<R extends CallOperations<R>> = {
  readonly [O in keyof R]: (
    request: R[O]['request'],
    send: (part: PartOf<R, O>) => void,
  ) => Promise<R[O]['result']> | R[O]['result'];
};

/**
 * Serves the calls of a `CallPool` in one of its threads or processes. Calls run in order unless a handler
 * awaits. Call it once, in the pool's `module`. `handlersOf` receives the pool's `setup`. `buffersOf` returns
 * the buffers of a result or part that are transferred instead of copied.
 */
export function serveCalls<R extends CallOperations<R>>(
  handlersOf: (setup: never) => Handlers<R>,
  buffersOf: (sent: R[keyof R]['result'] | PartOf<R, keyof R>) => ArrayBuffer[] = () => [],
): void {
  const port = parentPort === null ? openProcessChannel() : openThreadChannel(parentPort);
  const { setup } = port.start;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool starts its threads with nothing else
  const handlers = handlersOf(setup as never);
  const answer = async <O extends keyof R>({ id, operation, request }: WorkerCall<R, O>) => {
    try {
      const result = await handlers[operation](request, (part) => {
        port.postMessage({ id, part } satisfies PartReply, buffersOf(part));
      });
      port.postMessage({ id, ok: true, result } satisfies Reply, buffersOf(result));
    } catch (error) {
      port.postMessage({ id, ok: false, error: plainError(error) } satisfies Reply, []);
    }
  };
  // An unhandled error of a plugin belongs to no call. The thread continues.
  for (const event of ['unhandledRejection', 'uncaughtException'])
    process.on(event, (error: unknown) => {
      const stray = withoutSecrets(describeThrown(error)).slice(0, maxStrayChars);
      port.postMessage({ stray } satisfies StrayError, []);
    });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pool sends nothing else
  port.onMessage((call) => void answer(call as WorkerCall<R>));
}

function openThreadChannel(port: MessagePort): WorkerChannel {
  return {
    start: workerData,
    postMessage: (message, moved) => port.postMessage(message, moved),
    onMessage: (receive) => void port.on('message', receive),
  };
}

function plainError(error: unknown): SerializedError {
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

function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'a value that cannot be inspected';
  }
}

function withoutSecrets(text: unknown): string {
  return redact(String(text), [...secrets]);
}
