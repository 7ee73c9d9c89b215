import type { Infer } from '@trove/core';
import type {
  FormBody,
  JsonBody,
  RequestBody,
  StreamBody,
  StreamedJsonBody,
} from '@trove/operations';
import { receiveForm, type MultipartForm } from './form.js';
import type { IncomingBody, ReceivedBodyValue } from './incoming.js';
import { receiveJson, receiveJsonBytes } from './json.js';
import { receiveStream, type StreamedBody } from './stream.js';

/** The value that a handler gets for a body. */
export type ReceivedBody<B extends RequestBody> =
  B extends JsonBody<infer S>
    ? Infer<S>
    : B extends StreamedJsonBody
      ? AsyncIterable<Uint8Array>
      : B extends StreamBody
        ? StreamedBody
        : B extends FormBody<infer S>
          ? MultipartForm<Infer<S>>
          : undefined;

/**
 * Receives the body that an operation declares. Does not read an undeclared body. Throws
 * `unsupported_media_type`, `payload_too_large` or `validation_error`.
 */
export function receive<B extends RequestBody>(
  body: B,
  incoming: IncomingBody,
): Promise<ReceivedBodyValue<ReceivedBody<B>>>;
export async function receive(
  body: RequestBody,
  incoming: IncomingBody,
): Promise<ReceivedBodyValue<unknown>> {
  switch (body.kind) {
    case 'none':
      return { value: undefined };
    case 'json':
      return { value: await receiveJson(body, incoming) };
    case 'streamed-json':
      return { value: receiveJsonBytes(body, incoming) };
    case 'stream':
      return { value: receiveStream(body, incoming) };
    case 'form':
      return receiveForm(body, incoming);
  }
}
