import { parseUri, type ConnectorContext, type Infer } from '@trove/core';

import { readAttachment, readMail, type MailMessage } from '@trove/connector-kit/mail';
import type { configSchema } from './config.js';
import { isAbsent } from './failures.js';
import { findMailboxes, type MailLocation } from './mailbox-finder.js';
import type { MailboxItem, Mailbox } from './mailbox.js';
import { ThreadIndex } from './thread-index.js';

export type MboxContext = ConnectorContext<Infer<typeof configSchema>>;

/** The messages of a mailbox at one time. */
export interface MailboxState {
  readonly stamp: string;
  readonly items: ReadonlyMap<string, MailboxItem>;
}

/** The mail at a target. Caches the state of a mailbox until the mailbox changes. */
export class MailStore {
  readonly path: string;
  readonly #location: MailLocation;
  readonly #folders: readonly string[];
  readonly #states = new Map<string, MailboxState>();
  readonly #threads: ThreadIndex;
  /** States whose messages all have a known thread. */
  readonly #indexed = new WeakSet<MailboxState['items']>();

  constructor({ target, deniedRoots, allowedRoots, config, cacheFolder }: MboxContext) {
    this.path = parseUri(target).path;
    this.#threads = new ThreadIndex(cacheFolder);
    this.#location = { path: this.path, deniedRoots, allowedRoots, maildirs: new Map() };
    this.#folders = config.folders.map((each) => each.replaceAll(/^\/+|\/+$/g, ''));
  }

  /** Returns the included mailboxes. Reports permanently unreadable paths to `warn`. */
  async mailboxes(signal: AbortSignal, warn?: (sentence: string) => void): Promise<Mailbox[]> {
    const all = await this.#findMailboxes(signal, warn);
    return all.filter(({ folder }) => this.#isIncluded(folder));
  }

  /** Returns configured folders that do not exist. */
  async missingFolders(signal: AbortSignal): Promise<string[]> {
    const all = await this.#findMailboxes(signal);
    return this.#folders.filter(
      (configured) =>
        !all.some(({ folder }) => folder === configured || folder.startsWith(`${configured}/`)),
    );
  }

  async mailbox(folder: string, signal: AbortSignal): Promise<Mailbox | null> {
    const all = await this.mailboxes(signal);
    return all.find((mailbox) => mailbox.folder === folder) ?? null;
  }

  /** Returns an empty state for a mailbox that is gone. */
  async state(mailbox: Mailbox, signal: AbortSignal): Promise<MailboxState> {
    try {
      const stamp = await mailbox.stamp();
      const cached = this.#states.get(mailbox.folder);
      if (cached?.stamp === stamp) return cached;
      const items = new Map<string, MailboxItem>();
      for await (const item of mailbox.items(signal)) items.set(item.id, item);
      const state = { stamp, items };
      this.#states.set(mailbox.folder, state);
      return state;
    } catch (error) {
      signal.throwIfAborted();
      if (isAbsent(error)) return { stamp: '', items: new Map() };
      throw error;
    }
  }

  /** Parses a message and records its thread. Returns null if the message is gone. */
  async message(mailbox: Mailbox, item: MailboxItem): Promise<MailMessage | null> {
    const bytes = await mailbox.bytes(item);
    if (bytes === null) return null;
    const parsed = await readMail(bytes);
    const { id, flags, version } = item;
    const thread = await this.#threads.threadOf(mailbox.folder, parsed);
    const { messageId } = parsed;
    const ownId = messageId === '' || messageId === thread ? {} : { messageId };
    await this.#threads.add(mailbox.folder, id, { version, ...ownId, thread });
    return { key: { id }, id, flags, version, mail: { ...parsed, thread } };
  }

  /** Returns the decoded bytes of an attachment, or null if it does not exist. */
  async attachment(mailbox: Mailbox, item: MailboxItem, name: string): Promise<Buffer | null> {
    const bytes = await mailbox.bytes(item);
    return bytes === null ? null : readAttachment(bytes, name);
  }

  /** Returns the messages of one thread. Opens messages whose thread is unknown. */
  async messagesInThread(
    mailbox: Mailbox,
    thread: string,
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const { items } = await this.state(mailbox, signal);
    await this.#indexAll(mailbox, items, signal);
    const found: MailMessage[] = [];
    for (const id of await this.#threads.idsIn(mailbox.folder, thread)) {
      const item = items.get(id);
      if (item === undefined) continue;
      signal.throwIfAborted();
      const message = await this.message(mailbox, item);
      if (message?.mail.thread === thread) found.push(message);
    }
    return found;
  }

  /** Finds all mailboxes and drops the cached data of missing ones. */
  async #findMailboxes(signal: AbortSignal, warn?: (sentence: string) => void): Promise<Mailbox[]> {
    const all = await findMailboxes(this.#location, signal, warn);
    const existing = new Set(all.map(({ folder }) => folder));
    for (const folder of this.#states.keys())
      if (!existing.has(folder)) this.#states.delete(folder);
    await this.#threads.keepOnly(existing);
    return all;
  }

  async #indexAll(
    mailbox: Mailbox,
    items: MailboxState['items'],
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#indexed.has(items)) return;
    const indexed = await this.#threads.messagesIn(mailbox.folder);
    for (const item of items.values()) {
      if (indexed.get(item.id)?.version === item.version) continue;
      signal.throwIfAborted();
      await this.message(mailbox, item);
    }
    await this.saveThreads(mailbox, items);
    this.#indexed.add(items);
  }

  /** Saves the threads of these messages, which must be all messages of the mailbox. */
  saveThreads(mailbox: Mailbox, items: MailboxState['items']): Promise<void> {
    return this.#threads.save(mailbox.folder, items);
  }

  #isIncluded(folder: string): boolean {
    const configured = this.#folders;
    return (
      configured.length === 0 ||
      configured.some((each) => folder === each || folder.startsWith(`${each}/`))
    );
  }
}
