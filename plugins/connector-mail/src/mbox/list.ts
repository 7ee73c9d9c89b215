import type { Entry } from '@trove/core';

import { attachmentEntries, messagesEntry, type MailMessage } from '@trove/connector-kit/mail';
import { snapshotOf, type MailboxSnapshot, type MessageSnapshot } from './cursor.js';
import type { Mailbox } from './mailbox.js';
import type { MailStore } from './store.js';
import { titleOf } from './title.js';

/** Yields all objects of a mailbox. Returns its snapshot. Opens each message only for attachments. */
export async function* listMailbox(
  store: MailStore,
  mailbox: Mailbox,
  withAttachments: boolean,
  signal: AbortSignal,
): AsyncGenerator<{ readonly entry: Entry }, MailboxSnapshot> {
  const { stamp, items } = await store.state(mailbox, signal);
  const snapshots = new Map<string, MessageSnapshot>();
  if (items.size > 0) yield { entry: messagesEntry(mailbox.folder, titleOf(mailbox), 'id', stamp) };
  for (const item of items.values()) {
    signal.throwIfAborted();
    const message = withAttachments ? await store.message(mailbox, item) : null;
    for (const entry of message === null ? [] : attachmentEntries(mailbox.folder, message))
      yield { entry };
    snapshots.set(item.id, snapshotOf(item, namesOf(message)));
  }
  return { stamp, items: snapshots };
}

export function namesOf(message: MailMessage | null): string[] {
  return message?.mail.attachments.map(({ name }) => name) ?? [];
}
