import type { Change } from '@trove/core';

import {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  recordOf,
  type MailMessage,
} from '../mail/objects.js';
import type { ImapCursor, FolderSnapshot } from './cursor.js';
import { stampOf, type ImapFolder } from './folders.js';
import { listFolder, namesOf } from './list.js';
import { flagsOf, fetchMessages, listUids } from './messages.js';
import type { ImapSession } from './session.js';
import type { Threads } from './threads.js';

/** With more new messages, the folder is read as a stream and compared with the stored records. */
const maxChangedMessages = 500;

/** The context of a sync. */
interface ImapSync {
  readonly session: ImapSession;
  readonly threads: Threads;
  readonly withAttachments: boolean;
  readonly signal: AbortSignal;
}

/** Yields changes since the cursor. Adds the new snapshot of each folder to `now`. */
export async function* streamChangesSince(
  sync: ImapSync,
  folders: readonly ImapFolder[],
  { folders: before }: ImapCursor,
  now: Map<string, FolderSnapshot>,
): AsyncGenerator<Change> {
  const { session, withAttachments, signal } = sync;
  const gone = new Map(before);
  for (const folder of folders) {
    const old = gone.get(folder.name);
    gone.delete(folder.name);
    if (old !== undefined && isSame(old, folder)) {
      now.set(folder.name, old);
    } else if (old?.validity === folder.validity) {
      now.set(folder.name, yield* diffFolder(sync, folder, old));
    } else {
      // With another UIDVALIDITY, the same UIDs refer to other messages.
      if (old !== undefined) yield* attachmentRemovals(folder.name, old.attachments);
      const listing = listFolder(session, folder, withAttachments, signal);
      let next = await listing.next();
      for (; next.done !== true; next = await listing.next()) yield { entry: next.value.entry };
      now.set(folder.name, next.value);
      if (old !== undefined && next.value.uids.length === 0)
        yield { removed: messagesPath(folder.name) };
    }
  }
  for (const [folder, { attachments }] of gone) {
    yield { removed: messagesPath(folder) };
    yield* attachmentRemovals(folder, attachments);
  }
}

async function* diffFolder(
  { session, threads, withAttachments, signal }: ImapSync,
  folder: ImapFolder,
  old: FolderSnapshot,
): AsyncGenerator<Change, FolderSnapshot> {
  const { name, validity, modseq, uidNext, count } = folder;
  const path = messagesPath(name);
  const touched = await fetchFlagChanges(session, folder, old, signal);
  const uids = applyFlagChanges(folder, old, touched) ?? (await listUids(session, folder, signal));
  const [known, present] = [new Set(old.uids), new Set(uids)];
  const lost = old.uids.filter((uid) => !present.has(uid));
  const added = uids.filter((uid) => !known.has(uid));
  const flags = new Map(old.flags);
  const marked = new Map(
    Array.from(touched.flags, ([uid, names]) => [uid, flagsOf(names).join(' ')]),
  );
  const changed = [...marked].filter(
    ([uid, flag]) => known.has(uid) && present.has(uid) && flag !== (old.flags.get(uid) ?? ''),
  );
  for (const [uid, flag] of marked) {
    if (flag === '') flags.delete(uid);
    else flags.set(uid, flag);
  }
  for (const uid of flags.keys()) if (!present.has(uid)) flags.delete(uid);

  const attachments = new Map(old.attachments);
  const wanted = [...added, ...changed.map(([uid]) => uid)].sort((a, b) => a - b);
  const isStream = wanted.length > maxChangedMessages;
  const told: MailMessage[] = [];
  for await (const message of fetchMessages(session, folder, wanted, !isStream, signal)) {
    const uid = Number(message.id);
    if (message.flags.length > 0) flags.set(uid, message.flags.join(' '));
    if (!isStream) told.push(message);
    if (!withAttachments || message.mail.attachments.length === 0) continue;
    for (const entry of attachmentEntries(name, message)) yield { entry };
    attachments.set(uid, namesOf(message));
  }
  const resolved = await threads.assignThreads(folder, told, signal);
  const records = resolved.map((message) => recordOf(name, message));
  const without = lost.flatMap((uid) => {
    const names = attachments.get(uid);
    attachments.delete(uid);
    return names === undefined ? [] : ([[uid, names]] as const);
  });
  yield* attachmentRemovals(name, new Map(without));
  if (uids.length === 0) yield { removed: path };
  else if (isStream || old.uids.length === 0)
    yield { entry: messagesEntry(name, name, 'uid', stampOf(folder)) };
  else if (records.length + lost.length > 0)
    yield { path, records, removedKeys: lost.map((uid) => ({ uid })) };
  return { validity, modseq, uidNext, count, uids, flags, attachments };
}

interface FlagChanges {
  /** The flags of messages. */
  readonly flags: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether `flags` contains only new and re-flagged messages. Otherwise it contains all messages. */
  readonly isSince: boolean;
}

/** Fetches flags of new and re-flagged messages, or of all messages if the server has no MODSEQ. */
async function fetchFlagChanges(
  session: ImapSession,
  { path, modseq, count }: ImapFolder,
  old: FolderSnapshot,
  signal: AbortSignal,
): Promise<FlagChanges> {
  if (count === 0 || old.uids.length === 0) return { flags: new Map(), isSince: false };
  // After a crash, a server may continue with a lower MODSEQ.
  const isSince = modseq !== '' && old.modseq !== '' && BigInt(modseq) >= BigInt(old.modseq);
  const since = isSince ? { changedSince: BigInt(old.modseq) } : {};
  const found = await session.withFolder(path, signal, (client) =>
    client.fetchAll('1:*', { uid: true, flags: true }, { uid: true, ...since }),
  );
  return {
    flags: new Map((found ?? []).map(({ uid, flags }) => [uid, flags ?? new Set()])),
    isSince,
  };
}

/** Returns the UIDs of current messages, or null if messages were deleted. */
function applyFlagChanges(
  { count, uidNext }: ImapFolder,
  old: FolderSnapshot,
  { flags, isSince }: FlagChanges,
): number[] | null {
  const came = Array.from(flags.keys()).filter((uid) => uid >= old.uidNext);
  if (!isSince || old.count + came.length !== count) return null;
  const uids = new Set(old.uids);
  for (const [uid, names] of flags) {
    if (names.has('\\Deleted') || uid >= uidNext) uids.delete(uid);
    else uids.add(uid);
  }
  return [...uids].sort((a, b) => a - b);
}

function isSame(old: FolderSnapshot, { validity, modseq, uidNext, count }: ImapFolder): boolean {
  return (
    // Without MODSEQ, flags may have changed.
    modseq !== '' &&
    old.validity === validity &&
    old.modseq === modseq &&
    old.uidNext === uidNext &&
    old.count === count
  );
}

function attachmentRemovals(
  folder: string,
  attachments: ReadonlyMap<number, readonly string[]>,
): Change[] {
  return Array.from(attachments).flatMap(([uid, names]) =>
    names.map((name) => ({ removed: attachmentPath(folder, String(uid), name) })),
  );
}
