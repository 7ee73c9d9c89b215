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
    const signals = [signal, late.signal, signalOf(input), init?.signal ?? null];
    const ends = AbortSignal.any(signals.filter((given) => given !== null));
    try {
      const response = await fetch(input, { ...init, signal: ends });
      if (response.body === null) return response;
      const silent = (): void =>
        late.abort(timedOut(`the answer broke off: nothing came for ${silenceMs / 1000} s`));
      return withBody(response, untilSilent(response.body, silenceMs, silent));
    } finally {
      clearTimeout(timer);
    }
  };
}

function signalOf(input: string | URL | Request): AbortSignal | null {
  return input instanceof Request ? input.signal : null;
}

/** Passes bytes through; calls `silent` when the next ones take too long. */
function untilSilent(
  body: ReadableStream<Uint8Array>,
  limitMs: number,
  silent: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const timer = setTimeout(silent, limitMs);
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
        controller.byobRequest?.respond(0);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
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
