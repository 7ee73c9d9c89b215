import type { Entry } from '@trove/core';

import { attachmentEntries, messagesEntry, type MailMessage } from '@trove/connector-kit/mail';
import type { FolderSnapshot } from './cursor.js';
import { stampOf, type ImapFolder } from './folders.js';
import { fetchMessages, listUids } from './messages.js';
import type { ImapSession } from './session.js';

/** Yields all objects of a folder. Returns its snapshot. */
export async function* listFolder(
  session: ImapSession,
  folder: ImapFolder,
  withAttachments: boolean,
  signal: AbortSignal,
): AsyncGenerator<{ readonly entry: Entry }, FolderSnapshot> {
  const { name, validity, modseq, uidNext, count } = folder;
  const uids = await listUids(session, folder, signal);
  if (uids.length > 0) yield { entry: messagesEntry(name, name, 'uid', stampOf(folder)) };
  const flags = new Map<number, string>();
  const attachments = new Map<number, readonly string[]>();
  for await (const message of fetchMessages(session, folder, uids, false, signal)) {
    const uid = Number(message.id);
    if (message.flags.length > 0) flags.set(uid, message.flags.join(' '));
    if (!withAttachments) continue;
    for (const entry of attachmentEntries(name, message)) yield { entry };
    if (message.mail.attachments.length > 0) attachments.set(uid, namesOf(message));
  }
  return { validity, modseq, uidNext, count, uids, flags, attachments };
}

export function namesOf({ mail }: MailMessage): string[] {
  return mail.attachments.map(({ name }) => name);
}
