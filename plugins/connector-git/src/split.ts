/** Splits a stream of bytes into the parts that end with NUL. */
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

/** Splits a stream at a separator. Cuts off each part after `maxPartBytes`. */
export async function* splitAt(
  separator: Buffer,
  pieces: AsyncIterable<Buffer>,
  maxPartBytes: number,
): AsyncGenerator<Buffer> {
  let part: Buffer[] = [];
  let heldBytes = 0;
  const keep = (bytes: Buffer): void => {
    const slice = bytes.subarray(0, maxPartBytes - heldBytes);
    heldBytes += slice.length;
    if (slice.length > 0) part.push(slice);
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    for (let at = rest.indexOf(separator); at !== -1; at = rest.indexOf(separator)) {
      keep(rest.subarray(0, at));
      yield Buffer.concat(part);
      part = [];
      heldBytes = 0;
      rest = rest.subarray(at + separator.length);
    }
    // The last bytes may be the start of a separator.
    const complete = Math.max(0, rest.length - separator.length + 1);
    keep(rest.subarray(0, complete));
    rest = rest.subarray(complete);
  }
  keep(rest);
  yield Buffer.concat(part);
}
