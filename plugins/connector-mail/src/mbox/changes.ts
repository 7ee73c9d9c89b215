import type { Change, RecordKey, SourceRecord } from '@trove/core';

import {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  recordOf,
} from '@trove/connector-kit/mail';
import {
  snapshotOf,
  type MboxCursor,
  type MailboxSnapshot,
  type MessageSnapshot,
} from './cursor.js';
import { listMailbox, namesOf } from './list.js';
import type { Mailbox } from './mailbox.js';
import type { MailStore, MailboxState } from './store.js';
import { titleOf } from './title.js';

/** With more new messages, the mailbox is read as a stream and compared with the stored records. */
const maxChangedMessages = 500;

/** Yields changes since the cursor. Adds the new snapshot of each mailbox to `now`. */
export async function* streamChangesSince(
  store: MailStore,
  mailboxes: readonly Mailbox[],
  { folders: previousFolders }: MboxCursor,
  snapshots: Map<string, MailboxSnapshot>,
  withAttachments: boolean,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  const removedFolders = new Map(previousFolders);
  for (const mailbox of mailboxes) {
    const { folder } = mailbox;
    const previous = removedFolders.get(folder);
    removedFolders.delete(folder);
    const stamp = await mailbox.stamp().catch(() => '');
    if (previous?.stamp === stamp) {
      snapshots.set(folder, previous);
    } else if (previous === undefined || previous.items.size === 0) {
      snapshots.set(folder, yield* streamMailbox(store, mailbox, withAttachments, signal));
    } else {
      const state = await store.state(mailbox, signal);
      snapshots.set(
        folder,
        yield* diffMailbox(store, mailbox, previous.items, state, withAttachments, signal),
      );
    }
  }
  for (const [folder, { items }] of removedFolders) {
    yield { removed: messagesPath(folder) };
    yield* attachmentRemovals(folder, items);
  }
}

/** Yields all objects of a mailbox. Returns its snapshot. */
export async function* streamMailbox(
  store: MailStore,
  mailbox: Mailbox,
  withAttachments: boolean,
  signal: AbortSignal,
): AsyncGenerator<Change, MailboxSnapshot> {
  const listing = listMailbox(store, mailbox, withAttachments, signal);
  for (;;) {
    const next = await listing.next();
    if (next.done === true) return next.value;
    yield { entry: next.value.entry };
  }
}

async function* diffMailbox(
  store: MailStore,
  mailbox: Mailbox,
  previousItems: ReadonlyMap<string, MessageSnapshot>,
  { stamp, items }: MailboxState,
  withAttachments: boolean,
  signal: AbortSignal,
): AsyncGenerator<Change, MailboxSnapshot> {
  const { folder } = mailbox;
  const path = messagesPath(folder);
  const currentItems = new Map<string, MessageSnapshot>();
  const removedItems = new Map(previousItems);
  const records: SourceRecord[] = [];
  let isStream = false;
  for (const item of items.values()) {
    const previous = removedItems.get(item.id);
    removedItems.delete(item.id);
    if (previous?.version === item.version) {
      currentItems.set(item.id, previous);
      continue;
    }
    signal.throwIfAborted();
    const message = await store.message(mailbox, item);
    const names = withAttachments ? namesOf(message) : [];
    currentItems.set(item.id, snapshotOf(item, names));
    if (message === null) continue;
    const removedNames = (previous?.attachments ?? []).filter((name) => !names.includes(name));
    for (const name of removedNames) yield { removed: attachmentPath(folder, item.id, name) };
    if (withAttachments) for (const entry of attachmentEntries(folder, message)) yield { entry };
    isStream ||= records.length >= maxChangedMessages;
    if (!isStream) records.push(recordOf(folder, message));
  }
  await store.saveThreads(mailbox, items);
  yield* attachmentRemovals(folder, removedItems);
  const removedKeys: RecordKey[] = Array.from(removedItems.keys(), (id) => ({ id }));
  if (items.size === 0) yield { removed: path };
  else if (isStream) yield { entry: messagesEntry(folder, titleOf(mailbox), 'id', stamp) };
  else if (records.length + removedKeys.length > 0) yield { path, records, removedKeys };
  return { stamp, items: currentItems };
}

function* attachmentRemovals(
  folder: string,
  items: ReadonlyMap<string, MessageSnapshot>,
): Generator<Change> {
  for (const [id, { attachments }] of items)
    for (const name of attachments) yield { removed: attachmentPath(folder, id, name) };
}
