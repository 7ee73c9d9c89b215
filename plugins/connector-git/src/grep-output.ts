/** A line in which git found something. */
export interface GitGrepLine {
  readonly path: string;
  readonly line: number;
  /** 1-based, in bytes. */
  readonly column: number;
  /** Null: there are too many to be held in memory. */
  readonly bytes: Buffer | null;
}

/** As many as of any other source. */
const maxLineBytes = 16 * 1024 * 1024;
const nul = 0;
const lineFeed = 0x0a;

/** What `git grep -z -n --column` prints: `commit:path NUL line NUL column NUL text newline`; `prefix`: before the path. */
export async function* parseGrepOutput(
  pieces: AsyncIterable<Buffer>,
  prefixLength: number,
  maxBytes = maxLineBytes,
): AsyncGenerator<GitGrepLine> {
  let pending: Buffer[] = [];
  let held = 0;
  let isSkipping = false;
  for await (const piece of pieces) {
    const end = piece.indexOf(lineFeed);
    if (isSkipping && end === -1) continue;
    pending.push(isSkipping ? piece.subarray(end + 1) : piece);
    isSkipping = false;
    held += piece.length;
    if (end === -1 && held <= maxBytes) continue;
    let rest = Buffer.concat(pending);
    let head = parseHead(rest, prefixLength);
    for (; head !== null; head = parseHead(rest, prefixLength)) {
      const { start, ...place } = head;
      const length = rest.subarray(start).indexOf(lineFeed);
      if (length === -1) break;
      const bytes = rest.subarray(start, start + length);
      yield { ...place, bytes: length > maxBytes ? null : bytes };
      rest = rest.subarray(start + length + 1);
    }
    if (head !== null && rest.length - head.start > maxBytes) {
      const { start: _, ...place } = head;
      yield { ...place, bytes: null };
      isSkipping = true;
      rest = Buffer.alloc(0);
    }
    pending = [rest];
    held = rest.length;
  }
}

/** What comes before the text of the first line, and where that starts. */
function parseHead(
  bytes: Buffer,
  prefixLength: number,
): (Omit<GitGrepLine, 'bytes'> & { readonly start: number }) | null {
  const path = bytes.indexOf(nul);
  const line = path === -1 ? -1 : bytes.indexOf(nul, path + 1);
  const column = line === -1 ? -1 : bytes.indexOf(nul, line + 1);
  if (column === -1) return null;
  return {
    path: bytes.toString('utf8', prefixLength, path),
    line: Number(bytes.toString('latin1', path + 1, line)),
    column: Number(bytes.toString('latin1', line + 1, column)),
    start: column + 1,
  };
}
