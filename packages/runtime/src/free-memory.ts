import { MessageChannel } from 'node:worker_threads';

/** A closed port. Buffers that are transferred to it are freed immediately. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Frees the memory of bytes that are no longer needed, and leaves the array empty. Otherwise V8 lets up to 32
 * MiB of such garbage accumulate per thread. Does nothing if the buffer holds other bytes too.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0)
    nowhere.postMessage(null, [buffer]);
}
