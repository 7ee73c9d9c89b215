import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { openAt } from '@trove/core/local';
import { join } from 'node:path';

import { isAbsent } from './failures.js';
import { maxMessageBytes, type MailboxItem, type Mailbox } from './mailbox.js';

const subfolders = ['new', 'cur'] as const;

interface MaildirFile extends MailboxItem {
  /** The start of its file name, which flags do not change. */
  readonly base: string;
  readonly subfolder: (typeof subfolders)[number];
  readonly name: string;
}

const flagNames: Readonly<Record<string, string>> = {
  D: 'draft',
  F: 'flagged',
  P: 'forwarded',
  R: 'answered',
};

/** A folder with one file per message in `cur` and `new`. Flags are part of the file name, and the content never changes. */
export class Maildir implements Mailbox {
  readonly folder: string;
  readonly path: string;
  /** The files of the last listing by name. */
  #files: Record<MaildirFile['subfolder'], ReadonlyMap<string, MaildirFile>> = {
    new: new Map(),
    cur: new Map(),
  };
  /** The same files in order. */
  #ordered: readonly MaildirFile[] = [];

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

  async *items(): AsyncGenerator<MailboxItem> {
    yield* await this.#listFiles();
  }

  async bytes(item: MailboxItem): Promise<Buffer | null> {
    const content = isMaildirFile(item) ? await this.#read(item) : null;
    if (content !== null) return content;
    // A mail program may have renamed the file, for example to mark it as read.
    const renamed = (await this.#listFiles()).find(({ id }) => id === item.id);
    return renamed === undefined ? null : this.#read(renamed);
  }

  #read(file: MaildirFile): Promise<Buffer | null> {
    return readMessage(join(this.path, file.subfolder, file.name));
  }

  /** Lists files by name, which starts with the time of arrival. */
  async #listFiles(): Promise<readonly MaildirFile[]> {
    const [newNames, curNames] = await Promise.all(
      subfolders.map((folder) => readdir(join(this.path, folder))),
    );
    const filesByFolder = {
      new: this.#messagesAmong('new', newNames ?? []),
      cur: this.#messagesAmong('cur', curNames ?? []),
    };
    const files = new Map<string, MaildirFile>();
    for (const folder of subfolders)
      for (const file of filesByFolder[folder].values()) files.set(file.base, file);
    // Known files are already in order, so sorting is cheap.
    const knownInOrder = this.#ordered.filter(
      (file) => files.get(file.base) === file && files.delete(file.base),
    );
    const ordered = [...knownInOrder, ...files.values()].sort((a, b) => (a.base < b.base ? -1 : 1));
    this.#files = filesByFolder;
    this.#ordered = ordered;
    return ordered;
  }

  /** Returns the messages among the file names of a folder. */
  #messagesAmong(
    folder: MaildirFile['subfolder'],
    names: readonly string[],
  ): Map<string, MaildirFile> {
    const files = new Map<string, MaildirFile>();
    for (const name of names) {
      const file = this.#files[folder].get(name) ?? fileOf(folder, name);
      if (file !== null) files.set(name, file);
    }
    return files;
  }
}

/** Returns null for hidden files and messages that are flagged as deleted. */
function fileOf(folder: MaildirFile['subfolder'], name: string): MaildirFile | null {
  const [base = '', info = ''] = name.split(/[:;!]2,/);
  if (name.startsWith('.') || /^[A-Z]*T/.test(info)) return null;
  const id = hash('sha256', base, 'base64url').slice(0, 12);
  const flags = info === '' ? [] : info.split('').flatMap((flag) => flagNames[flag] ?? []);
  return { base, id, version: flags.join(' '), flags, subfolder: folder, name };
}

function isMaildirFile(item: MailboxItem): item is MaildirFile {
  return 'base' in item && 'in' in item && 'name' in item;
}

async function readMessage(path: string): Promise<Buffer | null> {
  try {
    const file = await openAt(path);
    try {
      const { size } = await file.stat();
      const buffer = Buffer.alloc(Math.min(size, maxMessageBytes));
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
