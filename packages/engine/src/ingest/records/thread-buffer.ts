import type { ThreadMessage } from './thread-unit.js';

/** Characters of messages that are held at a time while one object is read. */
const maxChars = 8 * 1024 * 1024;
/** What a message takes beside its texts. */
const messageOverheadChars = 200;

export interface BufferedThread {
  readonly messages: ThreadMessage[];
  /** It has more than can be held. */
  isTruncated: boolean;
  chars: number;
}

/** Messages by thread, met in any order: as many threads as there is room for, each of them whole. */
export class ThreadBuffer {
  readonly #threads = new Map<string, BufferedThread>();
  #chars = 0;
  #isFull = false;

  /** There was no room for all: since then, no thread was begun. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(name: string, message: ThreadMessage): void {
    const thread = this.#threads.get(name) ?? this.#begun(name);
    if (thread === null || thread.isTruncated) return;
    const chars =
      messageOverheadChars + message.text.length + JSON.stringify(message.fields).length;
    if (this.#chars + chars <= maxChars || thread.messages.length === 0) {
      thread.messages.push(message);
      thread.chars += chars;
      this.#chars += chars;
      return;
    }
    this.#isFull = true;
    if (this.#threads.size === 1) thread.isTruncated = true;
    else this.take(name);
  }

  /** The names of what is held of a thread. */
  names(thread: string): ReadonlySet<string> {
    return new Set(this.#threads.get(thread)?.messages.map(({ name }) => name));
  }

  /** A thread with all of its messages, which are then held no more; undefined: it was not met, or there was no room. */
  take(name: string): BufferedThread | undefined {
    const thread = this.#threads.get(name);
    this.#threads.delete(name);
    this.#chars -= thread?.chars ?? 0;
    return thread;
  }

  #begun(name: string): BufferedThread | null {
    if (this.#isFull) return null;
    const thread = { messages: [], isTruncated: false, chars: 0 };
    this.#threads.set(name, thread);
    return thread;
  }
}
