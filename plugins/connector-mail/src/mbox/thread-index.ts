import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface IndexedMessage {
  readonly version: string;
  /** Undefined if the message has none or starts its thread. */
  readonly messageId?: string;
  readonly thread: string;
}

/** The thread headers of a message. */
interface ThreadReferences {
  readonly ancestors: readonly string[];
  readonly thread: string;
}

/** The indexed messages of one mailbox. */
class MailboxThreads {
  readonly all = new Map<string, IndexedMessage>();
  readonly #idsByThread = new Map<string, Set<string>>();
  /** Threads by message ID, except for messages that start a thread. */
  readonly #threadsByMessageId = new Map<string, string>();

  in(thread: string): readonly string[] {
    return [...(this.#idsByThread.get(thread) ?? [])];
  }

  /** Returns undefined for an unknown message ID. */
  threadOf(messageId: string): string | undefined {
    return (
      this.#threadsByMessageId.get(messageId) ??
      (this.#idsByThread.has(messageId) ? messageId : undefined)
    );
  }

  set(id: string, known: IndexedMessage): void {
    if (this.all.get(id)?.thread !== known.thread) {
      this.delete(id);
      const ids = this.#idsByThread.get(known.thread);
      if (ids === undefined) this.#idsByThread.set(known.thread, new Set([id]));
      else ids.add(id);
    }
    this.all.set(id, known);
    if (known.messageId !== undefined) this.#threadsByMessageId.set(known.messageId, known.thread);
  }

  delete(id: string): void {
    const { thread, messageId } = this.all.get(id) ?? {};
    if (thread === undefined) return;
    this.all.delete(id);
    if (messageId !== undefined) this.#threadsByMessageId.delete(messageId);
    const ids = this.#idsByThread.get(thread);
    ids?.delete(id);
    if (ids?.size === 0) this.#idsByThread.delete(thread);
  }
}

/** The file is rewritten when it has more outdated lines than current lines plus this number. */
const maxStaleLines = 1000;

/**
 * Maps messages to threads, so finding a thread does not need all messages. Stored in a file that grows by one line per
 * message.
 */
export class ThreadIndex {
  readonly #folder: string | undefined;
  #mailboxes: Promise<Map<string, MailboxThreads>> | null = null;
  /** Lines that are not in the file yet. */
  #pendingLines: string[] = [];
  /** The number of lines in the file, or null if it must be rewritten. */
  #lineCount: number | null = null;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Returns the indexed messages of a mailbox by ID. */
  async messagesIn(mailbox: string): Promise<ReadonlyMap<string, IndexedMessage>> {
    return (await this.#mailbox(mailbox)).all;
  }

  /** Returns the IDs of a thread's indexed messages. */
  async idsIn(mailbox: string, thread: string): Promise<readonly string[]> {
    return (await this.#mailbox(mailbox)).in(thread);
  }

  /** Returns the thread of the nearest known ancestor, or else the thread that the message itself names. */
  async threadOf(mailbox: string, { ancestors, thread }: ThreadReferences): Promise<string> {
    const messages = await this.#mailbox(mailbox);
    for (const ancestor of ancestors) {
      const known = messages.threadOf(ancestor);
      if (known !== undefined) return known;
    }
    return thread;
  }

  async add(mailbox: string, id: string, known: IndexedMessage): Promise<void> {
    const messages = await this.#mailbox(mailbox);
    const previous = messages.all.get(id);
    if (previous?.version === known.version && previous.thread === known.thread) return;
    messages.set(id, known);
    if (this.#folder !== undefined) this.#pendingLines.push(lineOf(mailbox, id, known));
  }

  /** Removes missing messages and writes the file. Ignores write errors, because the index can be rebuilt. */
  async save(mailbox: string, present: ReadonlyMap<string, unknown>): Promise<void> {
    const messages = await this.#mailbox(mailbox);
    for (const id of messages.all.keys()) if (!present.has(id)) messages.delete(id);
    if (this.#folder === undefined || this.#pendingLines.length === 0) return;
    const all = await this.#load();
    const pendingLines = this.#pendingLines;
    this.#pendingLines = [];
    const currentLines = [...all.values()].reduce((sum, known) => sum + known.all.size, 0);
    const lines = (this.#lineCount ?? Infinity) + pendingLines.length;
    const path = join(this.#folder, 'threads.jsonl');
    try {
      if (lines <= 2 * currentLines + maxStaleLines) {
        await appendFile(path, joinLines(pendingLines));
        this.#lineCount = lines;
        return;
      }
      const allLines = Array.from(all, ([name, known]) =>
        Array.from(known.all, ([id, each]) => lineOf(name, id, each)),
      ).flat();
      this.#lineCount = null;
      await mkdir(this.#folder, { recursive: true });
      await writeFile(`${path}.${process.pid}`, joinLines(allLines));
      await rename(`${path}.${process.pid}`, path);
      this.#lineCount = allLines.length;
    } catch {
      this.#pendingLines = [...pendingLines, ...this.#pendingLines];
      this.#lineCount = null;
    }
  }

  /** Drops all other mailboxes from memory. Their lines disappear when the file is rewritten. */
  async keepOnly(mailboxes: ReadonlySet<string>): Promise<void> {
    if (this.#mailboxes === null) return;
    const all = await this.#mailboxes;
    for (const mailbox of all.keys()) if (!mailboxes.has(mailbox)) all.delete(mailbox);
  }

  async #mailbox(mailbox: string): Promise<MailboxThreads> {
    const all = await this.#load();
    const known = all.get(mailbox) ?? new MailboxThreads();
    all.set(mailbox, known);
    return known;
  }

  #load(): Promise<Map<string, MailboxThreads>> {
    this.#mailboxes ??= this.#read();
    return this.#mailboxes;
  }

  async #read(): Promise<Map<string, MailboxThreads>> {
    const all = new Map<string, MailboxThreads>();
    if (this.#folder === undefined) return all;
    try {
      const lines = (await readFile(join(this.#folder, 'threads.jsonl'), 'utf8')).split('\n');
      // Text after the last line end is an incomplete line.
      const isWhole = lines.pop() === '';
      for (const line of lines) {
        const [name, id, version, thread, messageId]: unknown[] = JSON.parse(line);
        const known = all.get(String(name)) ?? new MailboxThreads();
        all.set(String(name), known);
        const ownId = typeof messageId === 'string' ? { messageId } : {};
        known.set(String(id), { version: String(version), ...ownId, thread: String(thread) });
      }
      this.#lineCount = isWhole ? lines.length : null;
    } catch {
      // The file is missing or has another format.
      all.clear();
    }
    return all;
  }
}

function lineOf(
  mailbox: string,
  id: string,
  { version, messageId, thread }: IndexedMessage,
): string {
  const ownId = messageId === undefined ? [] : [messageId];
  return JSON.stringify([mailbox, id, version, thread, ...ownId]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
