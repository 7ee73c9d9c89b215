import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { ClientGoneError } from './call.js';

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Sends an event. Resolves when the client has room for more, and rejects when it has disconnected. */
export type SendEvent = (event: ServerEvent) => Promise<void>;

export interface EventStreamOptions {
  /** Aborts when the client has disconnected, or at the deadline of the request. */
  readonly signal: AbortSignal;
  /** Time between comments, which keep the connection open. */
  readonly heartbeatMs: number;
  /** Returns the body of an error response. */
  readonly errorBody: (error: unknown) => unknown;
}

/**
 * Returns a stream of server-sent events: those of `run`, then its result as `answer` or its failure as `error`.
 * Rejects if `run` fails before its first event, which then causes a regular error response.
 */
export async function streamEvents(
  { signal, heartbeatMs, errorBody }: EventStreamOptions,
  run: (send: SendEvent) => Promise<unknown>,
): Promise<Readable> {
  const stream = new PassThrough();
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const answered = run(async (event) => {
    signal.throwIfAborted();
    begin();
    if (!stream.write(encode(event))) await once(stream, 'drain', { signal });
  });
  await Promise.race([begun, answered]);
  const heartbeat = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(':\n\n');
  }, heartbeatMs);
  const end = (event: string, data: unknown): void => {
    clearInterval(heartbeat);
    if (!stream.destroyed) stream.end(encode({ event, data }));
  };
  stream.once('close', () => clearInterval(heartbeat));
  const aborted = new Promise<never>((_resolve, reject) => {
    // The call's own error may contain more detail.
    signal.addEventListener('abort', () => setImmediate(reject, signal.reason), { once: true });
  });
  Promise.race([answered, aborted]).then(
    (result) => end('answer', result),
    (error: unknown) => {
      if (error instanceof ClientGoneError) stream.destroy();
      else end('error', errorBody(error));
    },
  );
  return stream;
}

function encode({ event, data }: ServerEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
