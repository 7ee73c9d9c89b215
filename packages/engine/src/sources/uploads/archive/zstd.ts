import { Decompress } from 'fzstd';
import { invalidUpload } from '../upload-errors.js';
import { ZstdFrames } from './zstd-frames.js';

/** Four bytes may expand to 128 KiB, and the output of a step is held in memory. */
const stepBytes = 512;

/** Decompresses a zstd stream of any number of frames. Throws `upload_invalid`. */
export async function* unzstd(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const frames = new ZstdFrames();
  const plain: Uint8Array[] = [];
  const stream = new Decompress((piece) => plain.push(piece));
  for await (const piece of bytes) {
    for (let at = 0; at < piece.byteLength; at += stepBytes) {
      const step = piece.subarray(at, at + stepBytes);
      frames.push(step);
      expand(stream, step);
      yield* plain.splice(0);
    }
  }
  if (!frames.isWhole) throw invalidUpload('The zstd archive is truncated');
}

function expand(stream: Decompress, piece: Uint8Array): void {
  try {
    stream.push(piece);
  } catch {
    throw invalidUpload('The zstd archive is damaged');
  }
}
