/** Yields pieces of text, endlessly or a given number. */
export async function* pieces(piece: string, count = Infinity): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
