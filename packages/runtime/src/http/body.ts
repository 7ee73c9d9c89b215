interface BodyCallbacks {
  /** Called when nothing more comes. */
  readonly onEnd: () => void;
  /** What the reader is told of an error. */
  readonly toReadError: (error: unknown) => unknown;
}

/** Passes bytes through as they are read. */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  { onEnd: ended, toReadError: broken }: BodyCallbacks,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
        controller.byobRequest?.respond(0);
      } catch (error) {
        const told = broken(error);
        ended();
        throw told;
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
}

/** The same response with another body, and where it came from. */
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
