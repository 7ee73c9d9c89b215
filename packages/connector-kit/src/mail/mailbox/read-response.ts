/** Longer messages are cut. */
const defaultMaxBytes = 64 * 1024 * 1024;

/** Reads the first bytes of a response. Default 64 MiB. */
export async function readResponse(
  { body }: Response,
  maxBytes: number = defaultMaxBytes,
): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.byteLength;
      if (bytes >= maxBytes) break;
    }
  } finally {
    await body.cancel().catch(() => undefined);
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
