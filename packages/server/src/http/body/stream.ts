import { TroveError, type JsonSchema } from '@trove/core';
import { bytesOf, isPlain, lent, piecewise, requireBody } from './bytes.js';
import type { RequestBody } from './request-body.js';

/** Bytes of one of the accepted media types, to be read piece by piece. */
export interface StreamedBody {
  /** Without parameters: `application/gzip`. */
  readonly type: string;
  /** Ends with `payload_too_large` when there is more than the route takes. A piece is there until the next is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * A body of any size up to `maxBytes` (default: the host's limit), never held as a whole. It may take as long as it keeps
 * coming, at the least rate that the host demands.
 */
export function streamBody({
  types,
  maxBytes,
}: {
  readonly types: readonly string[];
  readonly maxBytes?: number;
}): RequestBody<StreamedBody> {
  return {
    content: Object.fromEntries(types.map((type) => [type, bytesSchema(maxBytes)])),
    receive: async (incoming) => {
      const { ctx, limits } = incoming;
      requireBody(ctx);
      const type = ctx.is([...types]);
      if (typeof type !== 'string' || !isPlain(ctx)) throw unsupported(types);
      const bytes = lent(bytesOf(incoming, maxBytes ?? limits.uploadBytes, piecewise(limits)));
      return { value: { type, bytes } };
    },
  };
}

/** As OpenAPI tools know a file; the length is in bytes. */
function bytesSchema(maxLength: number | undefined): JsonSchema {
  const bytes = { type: 'string', format: 'binary' } as const;
  return maxLength === undefined ? bytes : { ...bytes, maxLength };
}

function unsupported(types: readonly string[]): TroveError {
  const names = types.join(', ');
  return new TroveError('unsupported_media_type', `header.content-type: must be one of ${names}`, {
    suggestions: [`Send ${names}, without a Content-Encoding.`],
  });
}
