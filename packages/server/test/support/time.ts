/** Pieces of text without end, or as many as are wanted. */
export async function* pieces(piece: string, count = Infinity): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Resolves when the condition holds; throws after the time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  ms = 5000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
