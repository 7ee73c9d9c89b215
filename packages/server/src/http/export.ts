import { Readable } from 'node:stream';
import type { Export } from 'trove';

/** Incoming pieces may have any size; output is written in pieces of this size. */
const pieceChars = 64 * 1024;

/**
 * An export as a stream of the JSON text of a CatResponse, never held in memory as a whole. Resolves with the first
 * piece at hand, so that an object that cannot be read at all is still an ordinary error.
 */
export async function exportJson(exported: Export): Promise<Readable> {
  const pieces = exported.content[Symbol.asyncIterator]();
  const first = await pieces.next();
  const stream = Readable.from(jsonText(exported, first, pieces), { objectMode: false });
  // A stream that is given up before it is read never runs its own end: the object is let go of here.
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
