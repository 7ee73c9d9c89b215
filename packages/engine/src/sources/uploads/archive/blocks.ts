const blockBytes = 512;

/**
 * The blocks of an archive, many at a time; what is no whole block in the end is left out. All are views of the pieces, or of
 * one block that is used again: a parser that gets parts of blocks keeps them, and copies each piece that follows.
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
