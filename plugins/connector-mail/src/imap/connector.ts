import { loadCursor, storeCursor } from '@trove/connector-kit';
import {
  attachmentEntries,
  messagesEntry,
  parseMailPath,
  recordOf,
} from '@trove/connector-kit/mail';
import {
  isTroveError,
  type Change,
  type Connector,
  type Content,
  type Entry,
  type Health,
  type SourceRecord,
} from '@trove/core';

import { streamChangesSince } from './changes.js';
import { parseCursor, serializeCursor, type FolderSnapshot } from './cursor.js';
import { FolderCache, listFolders, stampOf, stampsOf, type ImapFolder } from './folders.js';
import { grepMessages } from './grep.js';
import { listFolder } from './list.js';
import { Login } from './login.js';
import { fetchMessages, fetchPart, listUids } from './messages.js';
import { ImapSession } from './session.js';
import { type ImapContext } from './context.js';
import { Threads } from './threads.js';
import { isUid } from './uids.js';
import { watchFolders } from './watch.js';

const maxNamesShown = 20;

/** Creates a connector for the mail of one user on a server. It never changes mail or marks it as read. */
export function createImapConnector(context: ImapContext): Connector {
  const { config, error, cacheFolder: stateFolder } = context;
  const session = new ImapSession(context, new Login(context));
  const threads = new Threads(session);
  const folders = new FolderCache(session, config);
  /** The stamps of the folders at the last sync. */
  let synced = '';
  const settings = JSON.stringify([config.folders, config.attachments, config.tls, config.ca]);
  const notFound = (path: string): Error => error('not_found', `There is nothing at "${path}".`);

  /** Returns the folder of a path, and the attachment if the path names one. Throws `not_found` for other paths. */
  const locate = async (
    path: string,
    signal: AbortSignal,
    { acceptsCached }: { readonly acceptsCached: boolean },
  ): Promise<{ folder: ImapFolder; attachment: { id: string; name: string } | null }> => {
    signal.throwIfAborted();
    const place = parseMailPath(path);
    const all = await (acceptsCached ? folders.recent(signal) : folders.refresh(signal));
    const folder = all.find((each) => each.name === place?.folder);
    if (place === null || folder === undefined || folder.count === 0) throw notFound(path);
    if (place.attachment !== null && (!config.attachments || !/^\d+$/.test(place.attachment.id)))
      throw notFound(path);
    return { folder, attachment: place.attachment };
  };

  return {
    async *list({ signal }): AsyncGenerator<Entry> {
      for (const folder of await folders.refresh(signal)) {
        for await (const { entry } of listFolder(session, folder, config.attachments, signal))
          yield entry;
      }
    },

    async *changes({ cursor, commit, signal }): AsyncGenerator<Change> {
      const previous = parseCursor(await loadCursor(cursor, stateFolder), settings);
      const currentFolders = await folders.refresh(signal);
      const snapshots = new Map<string, FolderSnapshot>();
      if (previous !== null) {
        yield* streamChangesSince(
          { session, threads, withAttachments: config.attachments, signal },
          currentFolders,
          previous,
          snapshots,
        );
        commit(
          await storeCursor(serializeCursor(settings, { folders: snapshots }), cursor, stateFolder),
        );
        synced = stampsOf(currentFolders);
        return;
      }
      if (cursor !== undefined) yield { reset: true };
      for (const folder of currentFolders) {
        const listing = listFolder(session, folder, config.attachments, signal);
        for (let next = await listing.next(); ; next = await listing.next()) {
          if (next.done === true) {
            snapshots.set(folder.name, next.value);
            break;
          }
          yield { entry: next.value.entry };
        }
      }
      commit(
        await storeCursor(serializeCursor(settings, { folders: snapshots }), cursor, stateFolder),
      );
      synced = stampsOf(currentFolders);
    },

    async *records(
      path,
      { signal, key, thread, messageKeys, offset = 0, limit = Infinity },
    ): AsyncGenerator<SourceRecord> {
      const acceptsCached = thread !== undefined;
      const { folder, attachment } = await locate(path, signal, { acceptsCached });
      if (attachment !== null) throw notFound(path);
      if (thread !== undefined) {
        const messages = await threads.messages(folder, thread, messageKeys, signal);
        for (const message of messages.slice(offset, offset + limit))
          yield recordOf(folder.name, message);
        return;
      }
      const uid = key === undefined ? undefined : Number(key['uid']);
      const uids =
        uid === undefined || isUid(uid) ? await listUids(session, folder, signal, uid) : [];
      const selectedUids = uids.slice(offset, offset + limit);
      const messages = fetchMessages(session, folder, selectedUids, true, signal);
      if (uid === undefined) {
        for await (const each of threads.assignThreadsInOrder(
          folder,
          messages,
          offset === 0,
          signal,
        ))
          yield recordOf(folder.name, each);
        return;
      }
      for await (const message of messages)
        for (const each of await threads.assignThreads(folder, [message], signal))
          yield recordOf(folder.name, each);
    },

    async read(path, { signal }): Promise<Content> {
      const { folder, attachment } = await locate(path, signal, { acceptsCached: false });
      if (attachment === null) throw notFound(path);
      const uid = Number(attachment.id);
      for await (const { mail } of fetchMessages(session, folder, [uid], false, signal)) {
        const part = mail.attachments.find(({ name }) => name === attachment.name);
        const bytes =
          part === undefined ? null : await fetchPart(session, folder, uid, part.partId, signal);
        if (bytes !== null) return { bytes };
      }
      throw notFound(path);
    },

    async stat(path, { signal }): Promise<Entry | null> {
      try {
        const { folder, attachment } = await locate(path, signal, { acceptsCached: true });
        if (attachment === null)
          return messagesEntry(folder.name, folder.name, 'uid', stampOf(folder));
        const uids = [Number(attachment.id)];
        for await (const message of fetchMessages(session, folder, uids, false, signal)) {
          const entries = attachmentEntries(folder.name, message);
          return entries.find((entry) => entry.path === path) ?? null;
        }
        return null;
      } catch (thrown) {
        if (isTroveError(thrown) && thrown.code === 'not_found') return null;
        throw thrown;
      }
    },

    grep: (request) => grepMessages(session, config, request),

    watch: ({ signal }) => watchFolders(session, config, () => synced, signal),

    async check({ signal }): Promise<Health> {
      try {
        const currentFolders = await folders.refresh(signal);
        const missing = config.folders.filter(
          (configured) =>
            !currentFolders.some(
              ({ name }) => name === configured || name.startsWith(`${configured}/`),
            ),
        );
        const count = currentFolders.reduce((sum, each) => sum + each.count, 0);
        if (missing.length === 0)
          return { ok: true, detail: `${count} messages in ${currentFolders.length} folders.` };
        const all = await listFolders(session, { ...config, folders: [] }, signal);
        const names = all.slice(0, maxNamesShown).map(({ name }) => name);
        return {
          ok: false,
          detail: `${session.name} has no folder ${missing.join(', ')}. It has: ${names.join(', ')}. Correct \`folders\`.`,
        };
      } catch (thrown) {
        signal.throwIfAborted();
        if (!isTroveError(thrown)) throw thrown;
        return { ok: false, detail: thrown.detail };
      }
    },

    close: () => session.close(),
  };
}
