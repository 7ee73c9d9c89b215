/** A line in which git found something. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  /** 1-based, in bytes. */
  readonly column: number;
  /** Null: there are too many to be held in memory. */
  readonly bytes: Buffer | null;
}

/** As many as of any other source. */
const longestLine = 16 * 1024 * 1024;
const nul = 0;
const lineFeed = 0x0a;

/** What `git grep -z -n --column` prints: `commit:path NUL line NUL column NUL text newline`; `prefix`: before the path. */
export async function* foundLines(
  pieces: AsyncIterable<Buffer>,
  prefix: number,
  longest = longestLine,
): AsyncGenerator<FoundLine> {
  let waiting: Buffer[] = [];
  let held = 0;
  let isSkipping = false;
  for await (const piece of pieces) {
    const end = piece.indexOf(lineFeed);
    if (isSkipping && end === -1) continue;
    waiting.push(isSkipping ? piece.subarray(end + 1) : piece);
    isSkipping = false;
    held += piece.length;
    if (end === -1 && held <= longest) continue;
    let rest = Buffer.concat(waiting);
    let head = headIn(rest, prefix);
    for (; head !== null; head = headIn(rest, prefix)) {
      const { start, ...place } = head;
      const length = rest.subarray(start).indexOf(lineFeed);
      if (length === -1) break;
      const bytes = rest.subarray(start, start + length);
      yield { ...place, bytes: length > longest ? null : bytes };
      rest = rest.subarray(start + length + 1);
    }
    if (head !== null && rest.length - head.start > longest) {
      const { start: _, ...place } = head;
      yield { ...place, bytes: null };
      isSkipping = true;
      rest = Buffer.alloc(0);
    }
    waiting = [rest];
    held = rest.length;
  }
}

/** What comes before the text of the first line, and where that starts. */
function headIn(
  bytes: Buffer,
  prefix: number,
): (Omit<FoundLine, 'bytes'> & { readonly start: number }) | null {
  const path = bytes.indexOf(nul);
  const line = path === -1 ? -1 : bytes.indexOf(nul, path + 1);
  const column = line === -1 ? -1 : bytes.indexOf(nul, line + 1);
  if (column === -1) return null;
  return {
    path: bytes.toString('utf8', prefix, path),
    line: Number(bytes.toString('latin1', path + 1, line)),
    column: Number(bytes.toString('latin1', line + 1, column)),
    start: column + 1,
  };
}
