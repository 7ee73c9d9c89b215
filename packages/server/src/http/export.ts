import { Readable } from 'node:stream';
import type { Export } from 'trove';

/** Size of output pieces. Input pieces may have any size. */
const pieceChars = 64 * 1024;

/**
 * Converts an export to a stream of the JSON text of a CatResponse, without holding it in memory. Resolves
 * after the first piece, so an unreadable object still causes a regular error response.
 */
export async function exportJson(exported: Export): Promise<Readable> {
  const pieces = exported.content[Symbol.asyncIterator]();
  const first = await pieces.next();
  const stream = Readable.from(jsonText(exported, first, pieces), { objectMode: false });
  // A stream that is destroyed before it is read never runs its `finally`, so the object is closed here.
  stream.once('close', () => {
    Promise.resolve(pieces.return?.()).catch(() => undefined);
  });
  return stream;
}

async function* jsonText(
  { source, partial }: Export,
  first: IteratorResult<string>,
  pieces: AsyncIterator<string>,
): AsyncGenerator<string> {
  yield `{"source":${JSON.stringify(source)},"partial":${partial},"content":"`;
  for (let piece = first; piece.done !== true; piece = await pieces.next()) {
    for (let at = 0; at < piece.value.length; at += pieceChars) {
      yield JSON.stringify(piece.value.slice(at, at + pieceChars)).slice(1, -1);
    }
  }
  yield '"}';
}
