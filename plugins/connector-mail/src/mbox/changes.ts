import type { Change, RecordKey, SourceRecord } from '@trove/core';

import {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  recordOf,
} from '../mail/objects.js';
import { remembered, type Cursor, type Remembered, type RememberedItem } from './cursor.js';
import { listMailbox, namesOf } from './list.js';
import type { Mailbox } from './mailbox.js';
import type { MailStore, State } from './store.js';
import { titleOf } from './title.js';

/** With more new messages than this, a mailbox is read as a stream, and compared with what is stored. */
const toldAtMost = 500;

interface Told {
  readonly changes: readonly Change[];
  readonly folders: ReadonlyMap<string, Remembered>;
}

/** What changed since a sync. */
export async function changesSince(
  store: MailStore,
  mailboxes: readonly Mailbox[],
  before: Cursor,
  withAttachments: boolean,
  signal: AbortSignal,
): Promise<Told> {
  const changes: Change[] = [];
  const folders = new Map<string, Remembered>();
  const gone = new Map(before.folders);
  for (const mailbox of mailboxes) {
    const { folder } = mailbox;
    const old = gone.get(folder);
    gone.delete(folder);
    const stamp = await mailbox.stamp().catch(() => '');
    if (old?.stamp === stamp) {
      folders.set(folder, old);
      continue;
    }
    if (old === undefined || old.items.size === 0) {
      folders.set(folder, await all(store, mailbox, withAttachments, changes, signal));
      continue;
    }
    const state = await store.state(mailbox, signal);
    folders.set(
      folder,
      await difference(store, mailbox, old.items, state, withAttachments, changes, signal),
    );
  }
  for (const [folder, { items }] of gone) {
    changes.push({ removed: messagesPath(folder) }, ...removals(folder, items));
  }
  return { changes, folders };
}

async function all(
  store: MailStore,
  mailbox: Mailbox,
  withAttachments: boolean,
  changes: Change[],
  signal: AbortSignal,
): Promise<Remembered> {
  const listing = listMailbox(store, mailbox, withAttachments, signal);
  for (;;) {
    const next = await listing.next();
    if (next.done === true) return next.value;
    changes.push({ entry: next.value.entry });
  }
}

async function difference(
  store: MailStore,
  mailbox: Mailbox,
  before: ReadonlyMap<string, RememberedItem>,
  { stamp, items }: State,
  withAttachments: boolean,
  changes: Change[],
  signal: AbortSignal,
): Promise<Remembered> {
  const { folder } = mailbox;
  const path = messagesPath(folder);
  const now = new Map<string, RememberedItem>();
  const gone = new Map(before);
  const records: SourceRecord[] = [];
  let isStream = false;
  for (const item of items.values()) {
    const old = gone.get(item.id);
    gone.delete(item.id);
    if (old?.version === item.version) {
      now.set(item.id, old);
      continue;
    }
    signal.throwIfAborted();
    const message = await store.message(mailbox, item);
    const names = withAttachments ? namesOf(message) : [];
    now.set(item.id, remembered(item, names));
    if (message === null) continue;
    const lost = (old?.attachments ?? []).filter((name) => !names.includes(name));
    for (const name of lost) changes.push({ removed: attachmentPath(folder, item.id, name) });
    if (withAttachments)
      for (const entry of attachmentEntries(folder, message)) changes.push({ entry });
    isStream ||= records.length >= toldAtMost;
    if (!isStream) records.push(recordOf(folder, message));
  }
  await store.keep(mailbox, items);
  changes.push(...removals(folder, gone));
  const removedKeys: RecordKey[] = Array.from(gone.keys(), (id) => ({ id }));
  if (items.size === 0) changes.push({ removed: path });
  else if (isStream) changes.push({ entry: messagesEntry(folder, titleOf(mailbox), 'id', stamp) });
  else if (records.length + removedKeys.length > 0) changes.push({ path, records, removedKeys });
  return { stamp, items: now };
}

function removals(folder: string, items: ReadonlyMap<string, RememberedItem>): Change[] {
  return Array.from(items).flatMap(([id, { attachments }]) =>
    attachments.map((name) => ({ removed: attachmentPath(folder, id, name) })),
  );
}
