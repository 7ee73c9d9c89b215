/** The parts of a stream of bytes that end with NUL. */
export async function* splitAtNul(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(0); end !== -1; end = piece.indexOf(0, start)) {
      const last = piece.subarray(start, end);
      yield rest.length === 0 ? last : Buffer.concat([...rest, last]);
      rest = [];
      start = end + 1;
    }
    if (start < piece.length) rest.push(piece.subarray(start));
  }
}
