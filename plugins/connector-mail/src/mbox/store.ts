import { parseUri, type ConnectorContext, type Infer } from '@trove/core';

import { decodeTransfer, structureOf } from '@trove/text/mail';
import type { MailMessage } from '../mail/objects.js';
import { parseMail } from '../mail/parse.js';
import type { configSchema } from './config.js';
import { isAbsent } from './failures.js';
import { findMailboxes, type MailLocation } from './mailbox-finder.js';
import type { MailboxItem, Mailbox } from './mailbox.js';
import { ThreadIndex } from './thread-index.js';

export type MboxContext = ConnectorContext<Infer<typeof configSchema>>;

/** A mailbox as it was at some moment. */
export interface MailboxState {
  readonly stamp: string;
  readonly items: ReadonlyMap<string, MailboxItem>;
}

/** The mail at a target. What was found out about a mailbox is kept as long as that does not change. */
export class MailStore {
  readonly path: string;
  readonly #where: MailLocation;
  readonly #folders: readonly string[];
  readonly #states = new Map<string, MailboxState>();
  readonly #threads: ThreadIndex;
  /** States of which it is known what conversation each message belongs to. */
  readonly #met = new WeakSet<MailboxState['items']>();

  constructor({ target, deniedRoots, allowedRoots, config, cacheFolder: folder }: MboxContext) {
    this.path = parseUri(target).path;
    this.#threads = new ThreadIndex(folder);
    this.#where = { path: this.path, deniedRoots, allowedRoots, maildirs: new Map() };
    this.#folders = config.folders.map((each) => each.replaceAll(/^\/+|\/+$/g, ''));
  }

  /** `note` hears of what can never be read. */
  async mailboxes(signal: AbortSignal, note?: (sentence: string) => void): Promise<Mailbox[]> {
    const all = await this.#all(signal, note);
    return all.filter(({ folder }) => this.#isWanted(folder));
  }

  /** Folders that were asked for, and that there are none of. */
  async missingFolders(signal: AbortSignal): Promise<string[]> {
    const all = await this.#all(signal);
    return this.#folders.filter(
      (wanted) => !all.some(({ folder }) => folder === wanted || folder.startsWith(`${wanted}/`)),
    );
  }

  async mailbox(folder: string, signal: AbortSignal): Promise<Mailbox | null> {
    const all = await this.mailboxes(signal);
    return all.find((mailbox) => mailbox.folder === folder) ?? null;
  }

  /** Empty for a mailbox that is gone. */
  async state(mailbox: Mailbox, signal: AbortSignal): Promise<MailboxState> {
    try {
      const stamp = await mailbox.stamp();
      const known = this.#states.get(mailbox.folder);
      if (known?.stamp === stamp) return known;
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

  /** Null when it is gone. */
  async message(mailbox: Mailbox, item: MailboxItem): Promise<MailMessage | null> {
    const bytes = await mailbox.bytes(item);
    if (bytes === null) return null;
    const parsed = await parseMail(structureOf(bytes).skeleton);
    const { id, flags, version } = item;
    const thread = await this.#threads.threadOf(mailbox.folder, parsed);
    const { messageId } = parsed;
    const own = messageId === '' || messageId === thread ? {} : { messageId };
    await this.#threads.add(mailbox.folder, id, { version, ...own, thread });
    return { key: { id }, id, flags, version, mail: { ...parsed, thread } };
  }

  /** The bytes of an attachment; null when there is none of that name. */
  async attachment(mailbox: Mailbox, item: MailboxItem, name: string): Promise<Buffer | null> {
    const bytes = await mailbox.bytes(item);
    if (bytes === null) return null;
    const { skeleton: reduced, leaves } = structureOf(bytes);
    const mail = await parseMail(reduced);
    const place = mail.attachments.find((each) => each.name === name)?.partId;
    const leaf = place === undefined ? undefined : leaves[Number(place)];
    return leaf === undefined
      ? null
      : decodeTransfer(bytes.subarray(leaf.start, leaf.end), leaf.encoding);
  }

  /** The messages of one conversation. Those that were never met are opened. */
  async messagesInThread(
    mailbox: Mailbox,
    thread: string,
    signal: AbortSignal,
  ): Promise<MailMessage[]> {
    const { items } = await this.state(mailbox, signal);
    await this.#meet(mailbox, items, signal);
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

  /** Nothing is kept of those that are gone. */
  async #all(signal: AbortSignal, note?: (sentence: string) => void): Promise<Mailbox[]> {
    const all = await findMailboxes(this.#where, signal, note);
    const there = new Set(all.map(({ folder }) => folder));
    for (const folder of this.#states.keys()) if (!there.has(folder)) this.#states.delete(folder);
    await this.#threads.keepOnly(there);
    return all;
  }

  async #meet(mailbox: Mailbox, items: MailboxState['items'], signal: AbortSignal): Promise<void> {
    if (this.#met.has(items)) return;
    const known = await this.#threads.messagesIn(mailbox.folder);
    for (const item of items.values()) {
      if (known.get(item.id)?.version === item.version) continue;
      signal.throwIfAborted();
      await this.message(mailbox, item);
    }
    await this.saveThreads(mailbox, items);
    this.#met.add(items);
  }

  /** Keeps what was found out about these messages, all that are there. */
  saveThreads(mailbox: Mailbox, items: MailboxState['items']): Promise<void> {
    return this.#threads.save(mailbox.folder, items);
  }

  #isWanted(folder: string): boolean {
    const wanted = this.#folders;
    return (
      wanted.length === 0 || wanted.some((each) => folder === each || folder.startsWith(`${each}/`))
    );
  }
}
