import { anySignal } from '../abort.js';

/** How long a server may take to send the first byte of an answer, and to pause in the middle of one. */
export interface FetchLimits {
  readonly firstByteMs: number;
  readonly silenceMs: number;
}

const defaults: FetchLimits = { firstByteMs: 60_000, silenceMs: 60_000 };

/**
 * A `fetch` that aborts with `signal`, and when an answer does not start or stalls. The total time of a body is not
 * limited, and a slow reader is not mistaken for a stalled server.
 */
export function guardedFetch(
  signal: AbortSignal,
  { firstByteMs, silenceMs }: FetchLimits = defaults,
): typeof globalThis.fetch {
  return async (input, init) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(timedOut(`no answer within ${firstByteMs / 1000} s`)),
      firstByteMs,
    );
    const until = anySignal(
      signal,
      late.signal,
      signalOf(input) ?? undefined,
      init?.signal ?? undefined,
    );
    try {
      const response = await fetch(input, { ...init, signal: until.signal });
      if (response.body === null) {
        until.end();
        return response;
      }
      const silent = (): void =>
        late.abort(timedOut(`the answer broke off: nothing came for ${silenceMs / 1000} s`));
      const body = untilSilent(response.body, { limitMs: silenceMs, silent, ended: until.end });
      return withBody(response, body);
    } catch (error) {
      until.end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function signalOf(input: string | URL | Request): AbortSignal | null {
  return input instanceof Request ? input.signal : null;
}

interface Watch {
  readonly limitMs: number;
  readonly silent: () => void;
  readonly ended: () => void;
}

/** Passes bytes through; calls `silent` when the next ones take too long, and `ended` when none come any more. */
function untilSilent(
  body: ReadableStream<Uint8Array>,
  { limitMs, silent, ended }: Watch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const timer = setTimeout(silent, limitMs);
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
        controller.byobRequest?.respond(0);
      } catch (error) {
        ended();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
}

/** A response with another body has to be constructed anew, which would lose its URL. */
function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const copy = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries({ url, redirected, type }))
    Object.defineProperty(copy, name, { value });
  return copy;
}

function timedOut(message: string): DOMException {
  return new DOMException(message, 'TimeoutError');
}
