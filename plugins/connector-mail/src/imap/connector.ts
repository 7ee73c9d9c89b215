import {
  isTroveError,
  type Change,
  type Connector,
  type Content,
  type Entry,
  type Health,
  type SourceRecord,
} from '@trove/core';

import { keptCursor, openedCursor } from '../mail/kept-cursor.js';
import { attachmentEntries, messagesEntry, placeOf, recordOf } from '../mail/objects.js';
import { changesSince } from './changes.js';
import { readCursor, written, type Remembered } from './cursor.js';
import { Folders, foldersOf, stampOf, stampsOf, type Folder } from './folders.js';
import { grep } from './grep.js';
import { listFolder } from './list.js';
import { Login } from './login.js';
import { messagesOf, partOf, uidsOf } from './messages.js';
import { Session } from './session.js';
import { type Context } from './context.js';
import { Threads } from './threads.js';
import { isUid } from './uids.js';
import { watchFolders } from './watch.js';

const namesShown = 20;

/** A source of the mail of one user on a server. Nothing is changed there, not even what counts as read. */
export function createImapConnector(context: Context): Connector {
  const { config, error, folder: kept } = context;
  const session = new Session(context, new Login(context));
  const threads = new Threads(session);
  const folders = new Folders(session, config);
  /** The state of the folders at the last sync. */
  let synced = '';
  const settings = JSON.stringify([config.folders, config.attachments, config.tls, config.ca]);
  const notFound = (path: string): Error => error('not_found', `There is nothing at "${path}".`);

  /** The folder at a path, and its attachment if the path names one. Throws `not_found` for other paths. */
  const at = async (
    path: string,
    signal: AbortSignal,
    { isRecentEnough }: { readonly isRecentEnough: boolean },
  ): Promise<{ folder: Folder; attachment: { id: string; name: string } | null }> => {
    signal.throwIfAborted();
    const place = placeOf(path);
    const all = await (isRecentEnough ? folders.lately(signal) : folders.all(signal));
    const folder = all.find((each) => each.folder === place?.folder);
    if (place === null || folder === undefined || folder.count === 0) throw notFound(path);
    if (place.attachment !== null && (!config.attachments || !/^\d+$/.test(place.attachment.id)))
      throw notFound(path);
    return { folder, attachment: place.attachment };
  };

  return {
    async *list({ signal }): AsyncGenerator<Entry> {
      for (const folder of await folders.all(signal)) {
        for await (const { entry } of listFolder(session, folder, config.attachments, signal))
          yield entry;
      }
    },

    async *changes({ cursor, commit, signal }): AsyncGenerator<Change> {
      const before = readCursor(await openedCursor(cursor, kept), settings);
      const present = await folders.all(signal);
      const now = new Map<string, Remembered>();
      if (before !== null) {
        yield* changesSince(
          { session, threads, withAttachments: config.attachments, signal },
          present,
          before,
          now,
        );
        commit(await keptCursor(written(settings, { folders: now }), cursor, kept));
        synced = stampsOf(present);
        return;
      }
      if (cursor !== undefined) yield { reset: true };
      for (const folder of present) {
        const listing = listFolder(session, folder, config.attachments, signal);
        for (let next = await listing.next(); ; next = await listing.next()) {
          if (next.done === true) {
            now.set(folder.folder, next.value);
            break;
          }
          yield { entry: next.value.entry };
        }
      }
      commit(await keptCursor(written(settings, { folders: now }), cursor, kept));
      synced = stampsOf(present);
    },

    async *records(
      path,
      { signal, key, thread, known, offset = 0, limit = Infinity },
    ): AsyncGenerator<SourceRecord> {
      const isRecentEnough = thread !== undefined;
      const { folder, attachment } = await at(path, signal, { isRecentEnough });
      if (attachment !== null) throw notFound(path);
      if (thread !== undefined) {
        const messages = await threads.messages(folder, thread, known, signal);
        for (const message of messages.slice(offset, offset + limit))
          yield recordOf(folder.folder, message);
        return;
      }
      const uid = key === undefined ? undefined : Number(key['uid']);
      const wanted =
        uid === undefined || isUid(uid) ? await uidsOf(session, folder, signal, uid) : [];
      const some = wanted.slice(offset, offset + limit);
      const messages = messagesOf(session, folder, some, true, signal);
      if (uid === undefined) {
        for await (const each of threads.resolvedInOrder(folder, messages, offset === 0, signal))
          yield recordOf(folder.folder, each);
        return;
      }
      for await (const message of messages)
        for (const each of await threads.resolved(folder, [message], signal))
          yield recordOf(folder.folder, each);
    },

    async read(path, { signal }): Promise<Content> {
      const { folder, attachment } = await at(path, signal, { isRecentEnough: false });
      if (attachment === null) throw notFound(path);
      const uid = Number(attachment.id);
      for await (const { mail } of messagesOf(session, folder, [uid], false, signal)) {
        const part = mail.attachments.find(({ name }) => name === attachment.name);
        const bytes =
          part === undefined ? null : await partOf(session, folder, uid, part.place, signal);
        if (bytes !== null) return { bytes };
      }
      throw notFound(path);
    },

    async stat(path, { signal }): Promise<Entry | null> {
      try {
        const { folder, attachment } = await at(path, signal, { isRecentEnough: true });
        if (attachment === null)
          return messagesEntry(folder.folder, folder.folder, 'uid', stampOf(folder));
        const uids = [Number(attachment.id)];
        for await (const message of messagesOf(session, folder, uids, false, signal)) {
          const entries = attachmentEntries(folder.folder, message);
          return entries.find((entry) => entry.path === path) ?? null;
        }
        return null;
      } catch (thrown) {
        if (isTroveError(thrown) && thrown.code === 'not_found') return null;
        throw thrown;
      }
    },

    grep: (request) => grep(session, config, request),

    watch: ({ signal }) => watchFolders(session, config, () => synced, signal),

    async check({ signal }): Promise<Health> {
      try {
        const present = await folders.all(signal);
        const missing = config.folders.filter(
          (wanted) =>
            !present.some(({ folder }) => folder === wanted || folder.startsWith(`${wanted}/`)),
        );
        const count = present.reduce((sum, each) => sum + each.count, 0);
        if (missing.length === 0)
          return { ok: true, detail: `${count} messages in ${present.length} folders.` };
        const all = await foldersOf(session, { ...config, folders: [] }, signal);
        const names = all.slice(0, namesShown).map(({ folder }) => folder);
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
