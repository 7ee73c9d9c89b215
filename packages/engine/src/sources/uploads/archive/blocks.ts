const blockBytes = 512;

/**
 * Yields the whole blocks of an archive, many at a time, and drops an incomplete last block. The results are views of the
 * pieces, or of one block that is reused. Whole blocks matter, because the parser keeps partial blocks and then copies each
 * following piece.
 */
export async function* blocksOf(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const block = new Uint8Array(blockBytes);
  let filled = 0;
  for await (const piece of pieces) {
    let at = 0;
    if (filled > 0) {
      at = Math.min(blockBytes - filled, piece.byteLength);
      block.set(piece.subarray(0, at), filled);
      filled += at;
      if (filled < blockBytes) continue;
      yield block;
    }
    const end = piece.byteLength - ((piece.byteLength - at) % blockBytes);
    if (end > at) yield piece.subarray(at, end);
    filled = piece.byteLength - end;
    block.set(piece.subarray(end));
  }
}
