interface BodyCallbacks {
  /** Called when the body has ended, failed or was cancelled. */
  readonly onEnd: () => void;
  /** Converts an error for the reader. */
  readonly toReadError: (error: unknown) => unknown;
}

/** Passes the bytes of a body through and reports its end. */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  { onEnd, toReadError }: BodyCallbacks,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
        controller.byobRequest?.respond(0);
      } catch (error) {
        const readError = toReadError(error);
        onEnd();
        throw readError;
      }
    },
    cancel: (reason) => {
      onEnd();
      return reader.cancel(reason);
    },
  });
}

/** Copies a response with another body, URL and redirect flag. */
export function replaceBody(
  {
    status,
    statusText,
    headers,
    type,
  }: Pick<Response, 'status' | 'statusText' | 'headers' | 'type'>,
  body: ReadableStream<Uint8Array> | null,
  origin: { readonly url: string; readonly redirected: boolean },
): Response {
  const copy = new Response(body, { status, statusText, headers });
  for (const [name, value] of Object.entries({ ...origin, type }))
    Object.defineProperty(copy, name, { value });
  return copy;
}
