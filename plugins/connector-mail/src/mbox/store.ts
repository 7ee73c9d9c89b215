import { parseUri, type ConnectorContext, type Infer } from '@trove/core';

import { decoded, structureOf } from '@trove/text/mail';
import type { Message } from '../mail/objects.js';
import { parseMail } from '../mail/parse.js';
import type { configSchema } from './config.js';
import { isAbsent } from './failures.js';
import { mailboxesAt, type Where } from './find-mailboxes.js';
import type { Item, Mailbox } from './mailbox.js';
import { ThreadIndex } from './thread-index.js';

export type Context = ConnectorContext<Infer<typeof configSchema>>;

/** A mailbox as it was at some moment. */
export interface State {
  readonly stamp: string;
  readonly items: ReadonlyMap<string, Item>;
}

/** The mail at a target. What was found out about a mailbox is kept as long as that does not change. */
export class MailStore {
  readonly path: string;
  readonly #where: Where;
  readonly #folders: readonly string[];
  readonly #states = new Map<string, State>();
  readonly #threads: ThreadIndex;
  /** States of which it is known what conversation each message belongs to. */
  readonly #met = new WeakSet<State['items']>();

  constructor({ target, deniedRoots, allowedRoots, config, folder }: Context) {
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
  async missing(signal: AbortSignal): Promise<string[]> {
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
  async state(mailbox: Mailbox, signal: AbortSignal): Promise<State> {
    try {
      const stamp = await mailbox.stamp();
      const known = this.#states.get(mailbox.folder);
      if (known?.stamp === stamp) return known;
      const items = new Map<string, Item>();
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
  async message(mailbox: Mailbox, item: Item): Promise<Message | null> {
    const bytes = await mailbox.bytes(item);
    if (bytes === null) return null;
    const parsed = await parseMail(structureOf(bytes).reduced);
    const { id, flags, version } = item;
    const thread = await this.#threads.rootOf(mailbox.folder, parsed);
    const { messageId } = parsed;
    const own = messageId === '' || messageId === thread ? {} : { messageId };
    await this.#threads.note(mailbox.folder, id, { version, ...own, thread });
    return { key: { id }, id, flags, version, mail: { ...parsed, thread } };
  }

  /** The bytes of an attachment; null when there is none of that name. */
  async attachment(mailbox: Mailbox, item: Item, name: string): Promise<Buffer | null> {
    const bytes = await mailbox.bytes(item);
    if (bytes === null) return null;
    const { reduced, leaves } = structureOf(bytes);
    const mail = await parseMail(reduced);
    const place = mail.attachments.find((each) => each.name === name)?.place;
    const leaf = place === undefined ? undefined : leaves[Number(place)];
    return leaf === undefined ? null : decoded(bytes.subarray(leaf.start, leaf.end), leaf.encoding);
  }

  /** The messages of one conversation. Those that were never met are opened. */
  async inThread(mailbox: Mailbox, thread: string, signal: AbortSignal): Promise<Message[]> {
    const { items } = await this.state(mailbox, signal);
    await this.#meet(mailbox, items, signal);
    const found: Message[] = [];
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
    const all = await mailboxesAt(this.#where, signal, note);
    const there = new Set(all.map(({ folder }) => folder));
    for (const folder of this.#states.keys()) if (!there.has(folder)) this.#states.delete(folder);
    await this.#threads.keepOnly(there);
    return all;
  }

  async #meet(mailbox: Mailbox, items: State['items'], signal: AbortSignal): Promise<void> {
    if (this.#met.has(items)) return;
    const known = await this.#threads.of(mailbox.folder);
    for (const item of items.values()) {
      if (known.get(item.id)?.version === item.version) continue;
      signal.throwIfAborted();
      await this.message(mailbox, item);
    }
    await this.keep(mailbox, items);
    this.#met.add(items);
  }

  /** Keeps what was found out about these messages, all that are there. */
  keep(mailbox: Mailbox, items: State['items']): Promise<void> {
    return this.#threads.save(mailbox.folder, items);
  }

  #isWanted(folder: string): boolean {
    const wanted = this.#folders;
    return (
      wanted.length === 0 || wanted.some((each) => folder === each || folder.startsWith(`${each}/`))
    );
  }
}
