/** Pieces of text without end, or as many as are wanted. */
export async function* pieces(piece: string, count = Infinity): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
