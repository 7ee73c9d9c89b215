import { finished, type Readable } from 'node:stream';

/**
 * Yields the pieces of a stream as they arrived, no faster than they are consumed. The stream's own iterator
 * joins waiting pieces, and its copies become garbage. Throws the error that ends the stream early. Does not
 * destroy the stream.
 */
export async function* piecesOf(stream: Readable): AsyncGenerator<unknown, void> {
  const arrived: unknown[] = [];
  const end: { reason: Error | null; hasEnded: boolean } = { reason: null, hasEnded: false };
  let wake = (): void => {};
  const receive = (piece: unknown): void => {
    arrived.push(piece);
    stream.pause();
    wake();
  };
  const stopWatching = finished(stream, { writable: false }, (reason = null) => {
    Object.assign(end, { reason, hasEnded: true });
    wake();
  });
  stream.on('data', receive);
  try {
    while (arrived.length > 0 || !end.hasEnded) {
      if (arrived.length > 0) {
        yield arrived.shift();
        continue;
      }
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      stream.resume();
      await more;
    }
    if (end.reason !== null) throw end.reason;
  } finally {
    stopWatching();
    stream.off('data', receive);
    stream.pause();
  }
}
