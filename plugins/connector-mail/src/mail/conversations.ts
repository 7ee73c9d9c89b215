import type { Mail } from './parse.js';

/** The conversations of the messages that were met so far, in their order. */
export class Conversations {
  /** By the names of messages. */
  readonly #threads = new Map<string, string>();

  has(messageId: string): boolean {
    return this.#threads.has(messageId);
  }

  /**
   * Notes a message. Returns the conversation of what it answers, which may name only the last of it; else what it says
   * itself.
   */
  add({
    ancestors,
    thread: own,
    messageId,
  }: Pick<Mail, 'ancestors' | 'thread' | 'messageId'>): string {
    const known = ancestors.find((ancestor) => this.#threads.has(ancestor));
    const thread = (known === undefined ? undefined : this.#threads.get(known)) ?? own;
    if (!this.#threads.has(thread)) this.#threads.set(thread, thread);
    if (messageId !== '') this.#threads.set(messageId, thread);
    return thread;
  }
}
