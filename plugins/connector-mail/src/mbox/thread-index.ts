import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Known {
  readonly version: string;
  readonly thread: string;
}

/** Which conversation each message belongs to, kept in a file, so that nobody has to open all messages to find one. */
export class ThreadIndex {
  readonly #folder: string | undefined;
  #mailboxes: Promise<Map<string, Map<string, Known>>> | null = null;
  #isChanged = false;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** By the message; of those that were met. */
  async of(mailbox: string): Promise<ReadonlyMap<string, Known>> {
    return this.#known(mailbox);
  }

  async note(mailbox: string, id: string, known: Known): Promise<void> {
    const messages = await this.#known(mailbox);
    const before = messages.get(id);
    if (before?.version === known.version && before.thread === known.thread) return;
    messages.set(id, known);
    this.#isChanged = true;
  }

  /** Without the messages that are gone. What cannot be written is found out again. */
  async save(mailbox: string, present: ReadonlyMap<string, unknown>): Promise<void> {
    const messages = await this.#known(mailbox);
    for (const id of messages.keys()) {
      if (present.has(id)) continue;
      messages.delete(id);
      this.#isChanged = true;
    }
    if (this.#folder === undefined || !this.#isChanged) return;
    this.#isChanged = false;
    const all = Array.from(await this.#all(), ([name, known]) => ({
      name,
      messages: Array.from(known, ([id, { version, thread }]) => [id, version, thread]),
    }));
    const path = join(this.#folder, 'threads.json');
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(`${path}.${process.pid}`, JSON.stringify(all));
      await rename(`${path}.${process.pid}`, path);
    } catch {
      this.#isChanged = true;
    }
  }

  async #known(mailbox: string): Promise<Map<string, Known>> {
    const all = await this.#all();
    const known = all.get(mailbox) ?? new Map<string, Known>();
    all.set(mailbox, known);
    return known;
  }

  #all(): Promise<Map<string, Map<string, Known>>> {
    this.#mailboxes ??= this.#read();
    return this.#mailboxes;
  }

  async #read(): Promise<Map<string, Map<string, Known>>> {
    const all = new Map<string, Map<string, Known>>();
    if (this.#folder === undefined) return all;
    try {
      const read: unknown = JSON.parse(await readFile(join(this.#folder, 'threads.json'), 'utf8'));
      for (const { name, messages } of Array.isArray(read) ? read : []) {
        const known = new Map<string, Known>();
        for (const [id, version, thread] of messages)
          known.set(String(id), { version: String(version), thread: String(thread) });
        all.set(String(name), known);
      }
    } catch {
      // There is none yet, or it was cut off.
      all.clear();
    }
    return all;
  }
}
