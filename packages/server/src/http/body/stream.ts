import { TroveError } from '@trove/core';
import type { StreamBody } from '@trove/operations';
import { receiveBytes, freeAfterRead, progressTimeout, requireBody } from './bytes.js';
import type { IncomingBody } from './incoming.js';

/** Bodies that are surely not the bytes that a route takes. */
const refusedTypes = ['json', '+json', 'multipart/*'];

/** Bytes, to be read piece by piece. Whoever reads them finds out what they are: clients name any type, or none. */
export interface StreamedBody {
  /** What the client names, without parameters: `application/gzip`; empty if it names none. */
  readonly type: string;
  /** Ends with `payload_too_large` when there is more than the route takes. A piece is there until the next is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * A body of any size up to `maxBytes` (default: the host's limit), never held as a whole. It may take as long as it keeps
 * coming, at the least rate that the host demands.
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
    { suggestions: ['Send the bytes of the archive themselves: curl --data-binary @files.tar.gz'] },
  );
}
