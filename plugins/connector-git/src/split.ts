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

/** The parts of a stream between the occurrences of some bytes; of each, what comes first, up to a limit. */
export async function* splitAt(
  separator: Buffer,
  pieces: AsyncIterable<Buffer>,
  maxPartBytes: number,
): AsyncGenerator<Buffer> {
  let kept: Buffer[] = [];
  let held = 0;
  const keep = (part: Buffer): void => {
    const some = part.subarray(0, maxPartBytes - held);
    held += some.length;
    if (some.length > 0) kept.push(some);
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    for (let at = rest.indexOf(separator); at !== -1; at = rest.indexOf(separator)) {
      keep(rest.subarray(0, at));
      yield Buffer.concat(kept);
      kept = [];
      held = 0;
      rest = rest.subarray(at + separator.length);
    }
    // The separator may have begun in what is left.
    const sure = Math.max(0, rest.length - separator.length + 1);
    keep(rest.subarray(0, sure));
    rest = rest.subarray(sure);
  }
  keep(rest);
  yield Buffer.concat(kept);
}
