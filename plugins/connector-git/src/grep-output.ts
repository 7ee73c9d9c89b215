/** A line that `git grep` found. */
export interface GitGrepLine {
  readonly path: string;
  readonly line: number;
  /** 1-based, in bytes. */
  readonly column: number;
  /** Null for a line that is too long to hold in memory. */
  readonly bytes: Buffer | null;
}

/** The limit of other sources, too. */
const maxLineBytes = 16 * 1024 * 1024;
const nul = 0;
const lineFeed = 0x0a;

/**
 * Parses the output of `git grep -z -n --column`: `commit:path NUL line NUL column NUL text newline`. `prefixLength` is the
 * length of the text before the path, in bytes.
 */
export async function* parseGrepOutput(
  pieces: AsyncIterable<Buffer>,
  prefixLength: number,
  maxBytes = maxLineBytes,
): AsyncGenerator<GitGrepLine> {
  let pending: Buffer[] = [];
  let heldBytes = 0;
  let isSkipping = false;
  for await (const piece of pieces) {
    const end = piece.indexOf(lineFeed);
    if (isSkipping && end === -1) continue;
    pending.push(isSkipping ? piece.subarray(end + 1) : piece);
    isSkipping = false;
    heldBytes += piece.length;
    if (end === -1 && heldBytes <= maxBytes) continue;
    let buffer = Buffer.concat(pending);
    let head = parseHead(buffer, prefixLength);
    for (; head !== null; head = parseHead(buffer, prefixLength)) {
      const { start, ...place } = head;
      const length = buffer.subarray(start).indexOf(lineFeed);
      if (length === -1) break;
      const bytes = buffer.subarray(start, start + length);
      yield { ...place, bytes: length > maxBytes ? null : bytes };
      buffer = buffer.subarray(start + length + 1);
    }
    if (head !== null && buffer.length - head.start > maxBytes) {
      const { start: _, ...place } = head;
      yield { ...place, bytes: null };
      isSkipping = true;
      buffer = Buffer.alloc(0);
    }
    pending = [buffer];
    heldBytes = buffer.length;
  }
}

/** Parses the fields before the text of the first line. `start` is the index of the text. */
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
