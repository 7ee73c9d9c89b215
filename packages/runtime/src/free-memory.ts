import { MessageChannel } from 'node:worker_threads';

/** Nobody listens: what is moved there is freed at once. */
const nowhere = new MessageChannel().port1;
nowhere.close();

/**
 * Frees the memory of bytes that nobody reads any more, and leaves them empty. Otherwise it is garbage, of which V8 lets
 * 32 MiB gather in each thread before it looks. Memory that holds more than these bytes is left.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0)
    nowhere.postMessage(null, [buffer]);
}
