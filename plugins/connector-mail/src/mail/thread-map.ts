import type { Mail } from './parse.js';

/** The conversations of all messages added so far, in order. */
export class ThreadMap {
  /** Conversations by message id. */
  readonly #threads = new Map<string, string>();

  has(messageId: string): boolean {
    return this.#threads.has(messageId);
  }

  /**
   * Adds a message. Returns the conversation of the answered message, or else its own. A message may name only the last
   * message of its conversation.
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
