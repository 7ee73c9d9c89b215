import type { Change } from '@trove/core';

import {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  recordOf,
  type MailMessage,
} from '@trove/connector-kit/mail';
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
  { folders: previousFolders }: ImapCursor,
  snapshots: Map<string, FolderSnapshot>,
): AsyncGenerator<Change> {
  const { session, withAttachments, signal } = sync;
  const removedFolders = new Map(previousFolders);
  for (const folder of folders) {
    const previous = removedFolders.get(folder.name);
    removedFolders.delete(folder.name);
    if (previous !== undefined && isSame(previous, folder)) {
      snapshots.set(folder.name, previous);
    } else if (previous?.validity === folder.validity) {
      snapshots.set(folder.name, yield* diffFolder(sync, folder, previous));
    } else {
      // With another UIDVALIDITY, the same UIDs refer to other messages.
      if (previous !== undefined) yield* attachmentRemovals(folder.name, previous.attachments);
      const listing = listFolder(session, folder, withAttachments, signal);
      let next = await listing.next();
      for (; next.done !== true; next = await listing.next()) yield { entry: next.value.entry };
      snapshots.set(folder.name, next.value);
      if (previous !== undefined && next.value.uids.length === 0)
        yield { removed: messagesPath(folder.name) };
    }
  }
  for (const [folder, { attachments }] of removedFolders) {
    yield { removed: messagesPath(folder) };
    yield* attachmentRemovals(folder, attachments);
  }
}

async function* diffFolder(
  { session, threads, withAttachments, signal }: ImapSync,
  folder: ImapFolder,
  previous: FolderSnapshot,
): AsyncGenerator<Change, FolderSnapshot> {
  const { name, validity, modseq, uidNext, count } = folder;
  const path = messagesPath(name);
  const flagChanges = await fetchFlagChanges(session, folder, previous, signal);
  const uids =
    applyFlagChanges(folder, previous, flagChanges) ?? (await listUids(session, folder, signal));
  const [previousUids, currentUids] = [new Set(previous.uids), new Set(uids)];
  const removed = previous.uids.filter((uid) => !currentUids.has(uid));
  const added = uids.filter((uid) => !previousUids.has(uid));
  const flags = new Map(previous.flags);
  const flagsByUid = new Map(
    Array.from(flagChanges.flags, ([uid, flagNames]) => [uid, flagsOf(flagNames).join(' ')]),
  );
  const changed = [...flagsByUid].filter(
    ([uid, flag]) =>
      previousUids.has(uid) && currentUids.has(uid) && flag !== (previous.flags.get(uid) ?? ''),
  );
  for (const [uid, flag] of flagsByUid) {
    if (flag === '') flags.delete(uid);
    else flags.set(uid, flag);
  }
  for (const uid of flags.keys()) if (!currentUids.has(uid)) flags.delete(uid);

  const attachments = new Map(previous.attachments);
  const changedUids = [...added, ...changed.map(([uid]) => uid)].sort((a, b) => a - b);
  const isStream = changedUids.length > maxChangedMessages;
  const messages: MailMessage[] = [];
  for await (const message of fetchMessages(session, folder, changedUids, !isStream, signal)) {
    const uid = Number(message.id);
    if (message.flags.length > 0) flags.set(uid, message.flags.join(' '));
    if (!isStream) messages.push(message);
    if (!withAttachments || message.mail.attachments.length === 0) continue;
    for (const entry of attachmentEntries(name, message)) yield { entry };
    attachments.set(uid, namesOf(message));
  }
  const resolved = await threads.assignThreads(folder, messages, signal);
  const records = resolved.map((message) => recordOf(name, message));
  const removedAttachments = removed.flatMap((uid) => {
    const names = attachments.get(uid);
    attachments.delete(uid);
    return names === undefined ? [] : ([[uid, names]] as const);
  });
  yield* attachmentRemovals(name, new Map(removedAttachments));
  if (uids.length === 0) yield { removed: path };
  else if (isStream || previous.uids.length === 0)
    yield { entry: messagesEntry(name, name, 'uid', stampOf(folder)) };
  else if (records.length + removed.length > 0)
    yield { path, records, removedKeys: removed.map((uid) => ({ uid })) };
  return { validity, modseq, uidNext, count, uids, flags, attachments };
}

interface FlagChanges {
  /** The flags of messages. */
  readonly flags: ReadonlyMap<number, ReadonlySet<string>>;
  /** Whether `flags` contains only new and re-flagged messages. Otherwise it contains all messages. */
  readonly isPartial: boolean;
}

/** Fetches flags of new and re-flagged messages, or of all messages if the server has no MODSEQ. */
async function fetchFlagChanges(
  session: ImapSession,
  { path, modseq, count }: ImapFolder,
  previous: FolderSnapshot,
  signal: AbortSignal,
): Promise<FlagChanges> {
  if (count === 0 || previous.uids.length === 0) return { flags: new Map(), isPartial: false };
  // After a crash, a server may continue with a lower MODSEQ.
  const isPartial =
    modseq !== '' && previous.modseq !== '' && BigInt(modseq) >= BigInt(previous.modseq);
  const since = isPartial ? { changedSince: BigInt(previous.modseq) } : {};
  const fetched = await session.withFolder(path, signal, (client) =>
    client.fetchAll('1:*', { uid: true, flags: true }, { uid: true, ...since }),
  );
  return {
    flags: new Map((fetched ?? []).map(({ uid, flags }) => [uid, flags ?? new Set()])),
    isPartial,
  };
}

/** Returns the UIDs of current messages, or null if messages were deleted. */
function applyFlagChanges(
  { count, uidNext }: ImapFolder,
  previous: FolderSnapshot,
  { flags, isPartial }: FlagChanges,
): number[] | null {
  const arrived = Array.from(flags.keys()).filter((uid) => uid >= previous.uidNext);
  if (!isPartial || previous.count + arrived.length !== count) return null;
  const uids = new Set(previous.uids);
  for (const [uid, flagNames] of flags) {
    if (flagNames.has('\\Deleted') || uid >= uidNext) uids.delete(uid);
    else uids.add(uid);
  }
  return [...uids].sort((a, b) => a - b);
}

function isSame(
  previous: FolderSnapshot,
  { validity, modseq, uidNext, count }: ImapFolder,
): boolean {
  return (
    // Without MODSEQ, flags may have changed.
    modseq !== '' &&
    previous.validity === validity &&
    previous.modseq === modseq &&
    previous.uidNext === uidNext &&
    previous.count === count
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
