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
  let buffered = Buffer.from('\n\n');
  let offset = -buffered.length;
  let hasBegun = false;
  const split = function* (isEnd: boolean): Generator<MboxPiece> {
    let from = 0;
    let search = 0;
    for (;;) {
      const separatorAt = buffered.indexOf(separator, search);
      if (separatorAt === -1) break;
      const lineEnd = buffered.indexOf('\n', separatorAt + 1);
      if (lineEnd === -1 && !isEnd && buffered.length - separatorAt < maxSeparatorBytes) break;
      const end = lineEnd === -1 ? buffered.length : lineEnd;
      const line = buffered.toString(
        'latin1',
        separatorAt + 1,
        Math.min(end, separatorAt + maxSeparatorBytes),
      );
      const isFirst = offset + separatorAt < 0;
      if (!isAfterEmptyLine(buffered, separatorAt) || !(isFirst || separatorPattern.test(line))) {
        search = separatorAt + 1;
        continue;
      }
      if (hasBegun && separatorAt + 1 > from) yield piece(from, separatorAt + 1);
      hasBegun = true;
      yield { isFirst: true, at: offset + separatorAt + 1, bytes: noBytes };
      from = Math.min(end + 1, buffered.length);
      search = Math.max(separatorAt + 1, from - 1);
    }
    // The tail may contain the start of a separator, so it waits for the next chunk.
    const flushedTo = isEnd
      ? buffered.length
      : Math.max(from, buffered.length - 2 * maxSeparatorBytes);
    if (hasBegun && flushedTo > from) yield piece(from, flushedTo);
    offset += flushedTo;
    buffered = buffered.subarray(flushedTo);
  };
  const piece = (from: number, to: number): MboxPiece => ({
    isFirst: false,
    at: offset + from,
    bytes: buffered.subarray(from, to),
  });
  for await (const chunk of file) {
    buffered = Buffer.concat([buffered, chunk]);
    yield* split(false);
  }
  yield* split(true);
}

function isAfterEmptyLine(bytes: Buffer, lineEnd: number): boolean {
  const before = bytes[lineEnd - 1];
  return before === 10 || (before === 13 && bytes[lineEnd - 2] === 10);
}
