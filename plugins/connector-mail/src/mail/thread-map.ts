import type { Mail } from '@trove/connector-kit/mail';

/** Maps messages to threads. Messages must be added in order. */
export class ThreadMap {
  /** Threads by message ID. */
  readonly #threads = new Map<string, string>();

  has(messageId: string): boolean {
    return this.#threads.has(messageId);
  }

  /** Adds a message. Returns the thread of its nearest known ancestor, or else its own. */
  add({
    ancestors,
    thread: ownThread,
    messageId,
  }: Pick<Mail, 'ancestors' | 'thread' | 'messageId'>): string {
    const knownAncestor = ancestors.find((ancestor) => this.#threads.has(ancestor));
    const thread =
      (knownAncestor === undefined ? undefined : this.#threads.get(knownAncestor)) ?? ownThread;
    if (!this.#threads.has(thread)) this.#threads.set(thread, thread);
    if (messageId !== '') this.#threads.set(messageId, thread);
    return thread;
  }
}
