import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TroveError } from '@trove/core';
import { assertPathAllowed, isWithin, openAt, type PathAccess } from '@trove/core/local';

import { isAbsent, isPermanent, toUnreadableError } from './failures.js';
import type { Mailbox } from './mailbox.js';
import { Maildir } from './maildir.js';
import { MboxFile } from './mbox-file.js';

const maxDepth = 20;
const maxMailboxes = 10_000;

export interface MailLocation extends PathAccess {
  readonly path: string;
  /** Maildirs of earlier searches by path. They cache their files. */
  readonly maildirs: Map<string, Maildir>;
}

/**
 * Finds the mailboxes at a path, ordered by folder: an mbox file, a Maildir with its subfolders, or all of these in a folder.
 * Reports permanently unreadable paths to `warn`. Throws `connector_unhealthy` if no mailbox exists, and after a temporary
 * error, because missing mailboxes count as removed.
 */
export async function findMailboxes(
  { path, deniedRoots, allowedRoots, maildirs }: MailLocation,
  signal: AbortSignal,
  warn?: (sentence: string) => void,
): Promise<Mailbox[]> {
  const mailboxes = new Map<string, Mailbox>();
  /** Returns `none` for a path that has vanished or is permanently unreadable. */
  const readOptional = async <T>(at: string, fallback: T, read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (isPermanent(error)) warn?.(toUnreadableError(at, error).detail);
      else if (!isAbsent(error)) throw toUnreadableError(at, error);
      return fallback;
    }
  };
  const visit = async (at: string, folder: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    if (depth > maxDepth || mailboxes.size >= maxMailboxes) return;
    if (deniedRoots.some((root) => isWithin(root, at))) return;
    const listing = readdir(at, { withFileTypes: true });
    const entries = depth === 0 ? await listing : await readOptional(at, [], listing);
    const folders = new Set(entries.filter((each) => each.isDirectory()).map(({ name }) => name));
    const isMaildir = folders.has('cur') && folders.has('new');
    if (isMaildir) {
      const maildir = maildirs.get(at) ?? new Maildir(folder, at);
      maildirs.set(at, maildir);
      mailboxes.set(folder, maildir);
    }
    for (const { name } of entries.filter((each) => each.isFile())) {
      const file = join(at, name);
      if (isMaildir || name.startsWith('.') || !(await readOptional(file, false, isMbox(file))))
        continue;
      const mailboxFolder = joinFolder(folder, name);
      mailboxes.set(mailboxFolder, new MboxFile(mailboxFolder, file));
    }
    for (const name of folders) {
      if (isMaildir && ['cur', 'new', 'tmp'].includes(name)) continue;
      // Maildir subfolders are named `.Archive.2024`. Thunderbird stores the subfolders of `Inbox` in `Inbox.sbd`.
      const levels = isMaildir && name.startsWith('.') ? name.slice(1).replaceAll('.', '/') : name;
      if (!isMaildir && name.startsWith('.')) continue;
      await visit(join(at, name), joinFolder(folder, levels.replace(/\.sbd$/, '')), depth + 1);
    }
  };
  try {
    const realPath = await realpath(path);
    assertPathAllowed(realPath, { deniedRoots, allowedRoots }, path);
    if (!(await stat(realPath)).isFile()) await visit(realPath, '', 0);
    else if ((await isMbox(realPath)) || (await stat(realPath)).size === 0)
      mailboxes.set('', new MboxFile('', realPath));
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TroveError ? error : toUnreadableError(path, error);
  }
  for (const [at, maildir] of maildirs)
    if (mailboxes.get(maildir.folder) !== maildir) maildirs.delete(at);
  if (mailboxes.size === 0) {
    const detail = `${path} contains no mail. Specify an mbox file, a Maildir (with \`cur\` and \`new\`), or a folder that contains them.`;
    throw new TroveError('connector_unhealthy', detail, { suggestions: [] });
  }
  return [...mailboxes.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function joinFolder(folder: string, name: string): string {
  const clean = name
    .split('/')
    .filter((level) => !/^\.{0,2}$/.test(level))
    .join('/');
  return [folder, clean].filter((part) => part !== '').join('/');
}

async function isMbox(path: string): Promise<boolean> {
  const file = await openAt(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0);
    return bytesRead === 5 && buffer.toString('latin1') === 'From ';
  } finally {
    await file.close();
  }
}
