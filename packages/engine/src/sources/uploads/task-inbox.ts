import { freeMemory } from '@trove/runtime';
import type { FromThread, TaskData } from './messages.js';
import type { LocateRequest } from './locate.js';

/** Receives the data of one task in its thread. */
export class TaskInbox {
  readonly #pieces: (Uint8Array | null)[] = [];
  readonly #folders: (string | null)[] = [];
  readonly #post: (message: FromThread) => void;
  #wake = (): void => {};

  constructor(post: (message: FromThread) => void) {
    this.#post = post;
  }

  put(message: TaskData): void {
    if ('piece' in message) this.#pieces.push(message.piece);
    else this.#folders.push(message.folder);
    this.#wake();
  }

  /** Each piece is valid until the next is requested. */
  async *bytes(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece === null) return;
      if (piece === undefined) {
        await this.#more();
        continue;
      }
      yield piece;
      freeMemory(piece);
      this.#post({ taken: true });
    }
  }

  async locate(source: LocateRequest): Promise<string | null> {
    this.#post({ locate: source });
    for (;;) {
      const folder = this.#folders.shift();
      if (folder !== undefined) return folder;
      await this.#more();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
