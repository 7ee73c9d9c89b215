import type { Socket } from 'node:net';

/** A page of records and one more, as long as it may be; and what a catalog has of some hundred thousand columns. */
const maxBytes = 64 * 1024 * 1024;
const pollMs = 20;
/** How much later than the server's own limit an answer is given up. */
const graceMs = 10_000;

/**
 * What a server sends on a connection, which drivers keep until an answer is whole: one that sends without end, or nothing,
 * loses the connection. Bytes are counted where they come in, below the encryption.
 */
export class ReceiveLimit {
  readonly #socket: Socket;
  readonly #limitMs: number;
  #bytes = 0;
  #deadline = 0;

  /** `timeoutS`: how long the server itself lets a statement run. */
  constructor(socket: Socket, timeoutS: number) {
    this.#socket = socket;
    this.#limitMs = timeoutS * 1000 + graceMs;
    this.restart();
    const looking = setInterval(() => this.#look(), pollMs).unref();
    socket.once('close', () => clearInterval(looking));
  }

  /** Something else is waited for: a statement, or a row. */
  restart(limitMs = this.#limitMs): void {
    this.#bytes = this.#socket.bytesRead;
    this.#deadline = performance.now() + limitMs;
  }

  /** Nothing is waited for: whoever takes rows may take their time. */
  pause(): void {
    this.#deadline = Infinity;
  }

  /** Ends the connection, and with it whatever waits for an answer. */
  end(error?: Error): void {
    this.#socket.destroy(error);
  }

  #look(): void {
    if (this.#socket.bytesRead - this.#bytes > maxBytes) this.end(new Error('sent too much'));
    else if (performance.now() > this.#deadline) this.end(new Error('it timed out'));
  }
}
