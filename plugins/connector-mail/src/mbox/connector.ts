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

import { streamMailbox, streamChangesSince } from './changes.js';
import { parseCursor, serializeCursor, type MailboxSnapshot } from './cursor.js';
import { toUnreadableError } from './failures.js';
import { listMailbox } from './list.js';
import type { Mailbox } from './mailbox.js';
import { MailStore, type MboxContext } from './store.js';
import { titleOf } from './title.js';
import { watchMailboxes } from './watch.js';

const maxNamesShown = 20;

/** Creates a connector for mail in local files. */
export function createMboxConnector(context: MboxContext): Connector {
  const { config, error, cacheFolder: stateFolder } = context;
  const store = new MailStore(context);
  const settings = JSON.stringify(config);
  const notFound = (path: string): Error => error('not_found', `There is nothing at "${path}".`);

  const locate = async (
    path: string,
    signal: AbortSignal,
  ): Promise<{ mailbox: Mailbox; attachment: { id: string; name: string } | null }> => {
    signal.throwIfAborted();
    const place = parseMailPath(path);
    const mailbox = place === null ? null : await store.mailbox(place.folder, signal);
    if (place === null || mailbox === null) throw notFound(path);
    if (place.attachment !== null && !config.attachments) throw notFound(path);
    return { mailbox, attachment: place.attachment };
  };

  return {
    async *list({ warn, signal }): AsyncGenerator<Entry> {
      for (const mailbox of await store.mailboxes(signal, warn)) {
        for await (const { entry } of listMailbox(store, mailbox, config.attachments, signal))
          yield entry;
      }
    },

    async *changes({ cursor, commit, warn, signal }): AsyncGenerator<Change> {
      const previous = parseCursor(await loadCursor(cursor, stateFolder), settings);
      const mailboxes = await store.mailboxes(signal, warn);
      const folders = new Map<string, MailboxSnapshot>();
      if (previous === null) {
        if (cursor !== undefined) yield { reset: true };
        for (const mailbox of mailboxes)
          folders.set(
            mailbox.folder,
            yield* streamMailbox(store, mailbox, config.attachments, signal),
          );
      } else {
        yield* streamChangesSince(store, mailboxes, previous, folders, config.attachments, signal);
      }
      commit(await storeCursor(serializeCursor({ settings, folders }), cursor, stateFolder));
    },

    async *records(
      path,
      { signal, key, thread, offset = 0, limit = Infinity },
    ): AsyncGenerator<SourceRecord> {
      const { mailbox, attachment } = await locate(path, signal);
      const { items } = await store.state(mailbox, signal);
      if (attachment !== null || items.size === 0) throw notFound(path);
      if (thread !== undefined) {
        const messages = await store.messagesInThread(mailbox, thread, signal);
        for (const message of messages.slice(offset, offset + limit))
          yield recordOf(mailbox.folder, message);
        return;
      }
      const selected = items.get(String(key?.['id']));
      const wanted =
        key === undefined ? [...items.values()] : selected === undefined ? [] : [selected];
      for (const item of wanted.slice(offset, offset + limit)) {
        signal.throwIfAborted();
        const message = await store.message(mailbox, item);
        if (message !== null) yield recordOf(mailbox.folder, message);
      }
      await store.saveThreads(mailbox, items);
    },

    async read(path, { signal }): Promise<Content> {
      const { mailbox, attachment } = await locate(path, signal);
      const { items } = await store.state(mailbox, signal);
      const item = items.get(attachment?.id ?? '');
      const bytes =
        item === undefined || attachment === null
          ? null
          : await store.attachment(mailbox, item, attachment.name);
      if (bytes === null) throw notFound(path);
      return { bytes };
    },

    async stat(path, { signal }): Promise<Entry | null> {
      try {
        const { mailbox, attachment } = await locate(path, signal);
        const { stamp, items } = await store.state(mailbox, signal);
        if (attachment === null)
          return items.size === 0
            ? null
            : messagesEntry(mailbox.folder, titleOf(mailbox), 'id', stamp);
        const item = items.get(attachment.id);
        const message = item === undefined ? null : await store.message(mailbox, item);
        const entries = message === null ? [] : attachmentEntries(mailbox.folder, message);
        return entries.find((entry) => entry.path === path) ?? null;
      } catch (thrown) {
        if (isTroveError(thrown) && thrown.code === 'not_found') return null;
        throw thrown;
      }
    },

    watch: ({ signal }) => watchMailboxes(store, signal),

    async check({ signal }): Promise<Health> {
      try {
        const missing = await store.missingFolders(signal);
        const folderNames = (await store.mailboxes(signal)).map(({ folder }) => folder || '/');
        if (missing.length === 0)
          return {
            ok: true,
            detail: `Mail in ${folderNames.length} folders: ${folderNames.slice(0, maxNamesShown).join(', ')}.`,
          };
        return {
          ok: false,
          detail: `${store.path} has no mail folder ${missing.join(', ')}. Correct or remove \`folders\`.`,
        };
      } catch (thrown) {
        signal.throwIfAborted();
        return {
          ok: false,
          detail: (isTroveError(thrown) ? thrown : toUnreadableError(store.path, thrown)).detail,
        };
      }
    },
  };
}
