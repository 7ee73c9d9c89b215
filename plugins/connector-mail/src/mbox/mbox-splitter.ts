/** Bytes of an mbox file. Each message starts with a first piece that has no bytes. */
export interface MboxPiece {
  readonly isFirst: boolean;
  /** The offset in the file. For a first piece, the offset of the `From ` line. */
  readonly at: number;
  readonly bytes: Buffer;
}

const separator = Buffer.from('\nFrom ');
/** The maximum length of a `From ` line. */
const maxSeparatorBytes = 1024;
/** Matches a sender and a date. Ordinary text after an empty line rarely looks like this. */
const separatorPattern = /^From \S.*\d{1,2}:\d{2}.*\d{4}/;
const noBytes = Buffer.alloc(0);

/** Splits a file into messages in one pass. Drops bytes before the first message. */
export async function* splitMbox(file: AsyncIterable<Buffer>): AsyncGenerator<MboxPiece> {
  // Acts as an empty line before the file.
  let waiting = Buffer.from('\n\n');
  let offset = -waiting.length;
  let hasBegun = false;
  const split = function* (isEnd: boolean): Generator<MboxPiece> {
    let from = 0;
    let search = 0;
    for (;;) {
      const found = waiting.indexOf(separator, search);
      if (found === -1) break;
      const lineEnd = waiting.indexOf('\n', found + 1);
      if (lineEnd === -1 && !isEnd && waiting.length - found < maxSeparatorBytes) break;
      const end = lineEnd === -1 ? waiting.length : lineEnd;
      const line = waiting.toString('latin1', found + 1, Math.min(end, found + maxSeparatorBytes));
      const isFirst = offset + found < 0;
      if (!isAfterEmptyLine(waiting, found) || !(isFirst || separatorPattern.test(line))) {
        search = found + 1;
        continue;
      }
      if (hasBegun && found + 1 > from) yield piece(from, found + 1);
      hasBegun = true;
      yield { isFirst: true, at: offset + found + 1, bytes: noBytes };
      from = Math.min(end + 1, waiting.length);
      search = Math.max(found + 1, from - 1);
    }
    // The tail may contain the start of a separator, so it waits for the next chunk.
    const upTo = isEnd ? waiting.length : Math.max(from, waiting.length - 2 * maxSeparatorBytes);
    if (hasBegun && upTo > from) yield piece(from, upTo);
    offset += upTo;
    waiting = waiting.subarray(upTo);
  };
  const piece = (from: number, to: number): MboxPiece => ({
    isFirst: false,
    at: offset + from,
    bytes: waiting.subarray(from, to),
  });
  for await (const chunk of file) {
    waiting = Buffer.concat([waiting, chunk]);
    yield* split(false);
  }
  yield* split(true);
}

function isAfterEmptyLine(bytes: Buffer, lineEnd: number): boolean {
  const before = bytes[lineEnd - 1];
  return before === 10 || (before === 13 && bytes[lineEnd - 2] === 10);
}
