import type { Socket } from 'node:net';

/** Enough for a page and one more record of maximum length, and for a catalog of several hundred thousand columns. */
const maxBytes = 64 * 1024 * 1024;
const pollMs = 20;
/** The time after the server's own limit until the connection is closed. */
const graceMs = 10_000;

/**
 * Closes a connection that receives too much or nothing. Drivers buffer an answer until it is complete, without a limit.
 * Bytes are counted at the socket, below the encryption.
 */
export class ReceiveLimit {
  readonly #socket: Socket;
  readonly #limitMs: number;
  #bytes = 0;
  #deadline = 0;

  /** `timeoutS` is the server's own limit of a statement. */
  constructor(socket: Socket, timeoutS: number) {
    this.#socket = socket;
    this.#limitMs = timeoutS * 1000 + graceMs;
    this.restart();
    const timer = setInterval(() => this.#check(), pollMs).unref();
    socket.once('close', () => clearInterval(timer));
  }

  /** Starts a new wait, for a statement or a row. */
  restart(limitMs = this.#limitMs): void {
    this.#bytes = this.#socket.bytesRead;
    this.#deadline = performance.now() + limitMs;
  }

  /** Suspends the time limit while the consumer handles rows. */
  pause(): void {
    this.#deadline = Infinity;
  }

  /** Destroys the socket. Waiting calls fail. */
  end(error?: Error): void {
    this.#socket.destroy(error);
  }

  #check(): void {
    if (this.#socket.bytesRead - this.#bytes > maxBytes) this.end(new Error('sent too much'));
    else if (performance.now() > this.#deadline) this.end(new Error('timed out'));
  }
}
