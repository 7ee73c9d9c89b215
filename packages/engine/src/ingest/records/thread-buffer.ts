import type { ThreadMessage } from './thread-unit.js';

/** The limit of buffered characters of messages while an object is read. */
const maxChars = 8 * 1024 * 1024;
/** The memory overhead of a message. */
const messageOverheadChars = 200;

export interface BufferedThread {
  readonly messages: ThreadMessage[];
  /** The thread has more messages than the buffer can hold. */
  isTruncated: boolean;
  chars: number;
}

/** Buffers messages by thread, in any order of arrival. Holds as many complete threads as fit. */
export class ThreadBuffer {
  readonly #threads = new Map<string, BufferedThread>();
  #chars = 0;
  #isFull = false;

  /** Whether messages did not fit. No new thread is started since then. */
  get isFull(): boolean {
    return this.#isFull;
  }

  add(name: string, message: ThreadMessage): void {
    const thread = this.#threads.get(name) ?? this.#start(name);
    if (thread === null || thread.isTruncated) return;
    const chars = charsOf(message);
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

  /** Returns the names of the buffered messages of a thread. */
  names(thread: string): ReadonlySet<string> {
    return new Set(this.#threads.get(thread)?.messages.map(({ name }) => name));
  }

  /** Removes and returns a thread with all its messages. Undefined if it was not seen or did not fit. */
  take(name: string): BufferedThread | undefined {
    const thread = this.#threads.get(name);
    this.#threads.delete(name);
    this.#chars -= thread?.chars ?? 0;
    return thread;
  }

  #start(name: string): BufferedThread | null {
    if (this.#isFull) return null;
    const thread = { messages: [], isTruncated: false, chars: 0 };
    this.#threads.set(name, thread);
    return thread;
  }
}

function charsOf({ text, fields, threadFields }: ThreadMessage): number {
  const fieldChars = JSON.stringify(fields).length + JSON.stringify(threadFields).length;
  return messageOverheadChars + text.length + fieldChars;
}
