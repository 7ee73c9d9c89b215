import { createHash } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { isAbsent } from './failures.js';
import { largestMessage, type Item, type Mailbox } from './mailbox.js';

interface File extends Item {
  readonly file: string;
}

const flagNames: Readonly<Record<string, string>> = {
  D: 'draft',
  F: 'flagged',
  P: 'forwarded',
  R: 'answered',
};

/** A folder with a file for each message, in `cur` and `new`. A file never changes; its name says what was done with it. */
export class Maildir implements Mailbox {
  readonly folder: string;
  readonly path: string;

  constructor(folder: string, path: string) {
    this.folder = folder;
    this.path = path;
  }

  get watchedFolders(): string[] {
    return [this.path, join(this.path, 'cur'), join(this.path, 'new')];
  }

  async stamp(): Promise<string> {
    const times = await Promise.all(
      ['cur', 'new'].map(async (name) => {
        const { mtimeNs, ino } = await stat(join(this.path, name), { bigint: true });
        return `${ino} ${mtimeNs}`;
      }),
    );
    return times.join(' ');
  }

  async *items(): AsyncGenerator<Item> {
    yield* await this.#files();
  }

  async bytes(item: Item): Promise<Buffer | null> {
    const known =
      'file' in item && typeof item.file === 'string' ? await contentOf(item.file) : null;
    if (known !== null) return known;
    // A mail program has marked it as read, say, which gives it another name.
    const now = (await this.#files()).find(({ id }) => id === item.id);
    return now === undefined ? null : contentOf(now.file);
  }

  /** By their names, which begin with the time of their arrival. */
  async #files(): Promise<File[]> {
    const [current, fresh] = await Promise.all([
      readdir(join(this.path, 'cur')),
      readdir(join(this.path, 'new')),
    ]);
    const files = new Map<string, File & { readonly base: string }>();
    for (const [folder, names] of [
      ['new', fresh],
      ['cur', current],
    ] as const) {
      for (const name of names) {
        const [base = '', info = ''] = name.split(/[:;!]2,/);
        // `T`: to be deleted.
        if (name.startsWith('.') || /^[A-Z]*T/.test(info)) continue;
        const id = createHash('sha256').update(base).digest('base64url').slice(0, 12);
        const flags = info.split('').flatMap((flag) => flagNames[flag] ?? []);
        const file = join(this.path, folder, name);
        files.set(base, { base, id, version: flags.join(' '), flags, file });
      }
    }
    return [...files.values()].sort((a, b) => (a.base < b.base ? -1 : 1));
  }
}

async function contentOf(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, largestMessage));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
