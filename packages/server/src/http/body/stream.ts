import { TroveError } from '@trove/core';
import type { StreamBody } from '@trove/operations';
import { receiveBytes, freeAfterRead, progressTimeout, requireBody } from './bytes.js';
import type { IncomingBody } from './incoming.js';

/** Media types that a binary route refuses. */
const refusedTypes = ['json', '+json', 'multipart/*'];

/**
 * A body that is read piece by piece. The reader determines its type, because clients name any type or none.
 */
export interface StreamedBody {
  /** The media type that the client gave, without parameters. Empty if there is none. */
  readonly type: string;
  /** Throws `payload_too_large` above the limit. A piece is valid until the next one is requested. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Returns a body of up to `maxBytes` (default: the host's limit) without holding it in memory. It may take any
 * time while data arrives at the minimum rate.
 */
export function receiveStream({ maxBytes }: StreamBody, incoming: IncomingBody): StreamedBody {
  const { ctx, limits } = incoming;
  requireBody(ctx);
  if (typeof ctx.is(refusedTypes) === 'string') throw unsupportedTypeError();
  const bytes = freeAfterRead(
    receiveBytes(incoming, maxBytes ?? limits.uploadBytes, progressTimeout(limits)),
  );
  const [type = ''] = ctx.get('content-type').split(';', 1);
  return { type: type.trim(), bytes };
}

function unsupportedTypeError(): TroveError {
  return new TroveError(
    'unsupported_media_type',
    'header.content-type: must not be JSON or multipart',
    { suggestions: ['Send the archive as the body: curl --data-binary @files.tar.gz'] },
  );
}
