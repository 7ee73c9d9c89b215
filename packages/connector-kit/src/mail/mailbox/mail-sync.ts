import type { Change, ChangesRequest, Entry, RecordKey, SourceRecord } from '@trove/core';

import { loadCursor, storeCursor } from '../../cursor-file.js';
import {
  attachmentEntries,
  attachmentPath,
  messagesEntry,
  messagesPath,
  recordOf,
  type MailMessage,
} from '../objects.js';
import { MailCursor, parseMailCursor } from './mail-cursor.js';
import type { MessageReader } from './message-reader.js';
import type { ListedMail, MailChanges, MailboxService } from './service.js';

const maxCheckpointChars = 95_000;
/** A large state is stored only after this many pages, because its file is written as a whole. */
const pagesPerCheckpoint = 20;
const batchSize = 20;

export interface MailSource {
  readonly service: MailboxService;
  readonly reader: MessageReader;
  readonly title: string;
  /** What decides which messages the source has. Another value makes the next sync list everything. */
  readonly settings: string;
  readonly withAttachments: boolean;
  readonly cacheFolder: string | undefined;
}

/** Yields all objects of a mailbox: its messages, and each attachment. */
export async function* mailEntries(
  source: MailSource,
  signal: AbortSignal,
): AsyncGenerator<Entry, void, undefined> {
  for await (const change of listAll(source, new MailCursor(), null, signal))
    if ('entry' in change) yield change.entry;
}

/** Yields what changed since a cursor. */
export async function* mailChanges(
  source: MailSource,
  { cursor, resume, commit, signal }: ChangesRequest,
): AsyncGenerator<Change, void, undefined> {
  const { cacheFolder, service, settings } = source;
  const load = async (value: unknown): Promise<MailCursor | null> =>
    parseMailCursor(await loadCursor(value, cacheFolder), settings);
  const save = (value: MailCursor): Promise<unknown> =>
    storeCursor(value.serialize(settings), cursor, cacheFolder);
  const { position = null, found }: Progress = Object(resume);
  const continued = found === undefined ? null : await load(found);
  const known = continued === null ? await load(cursor) : null;
  const changes = known === null ? null : await service.changes(known.state, known, signal);
  if (known !== null && changes !== null) {
    const next = known.copy();
    yield* applyChanges(source, next, changes, signal);
    commit(await save(next));
    return;
  }
  if (cursor !== undefined && continued === null) yield { reset: true };
  const all = continued ?? new MailCursor();
  const start = continued === null ? null : position;
  yield* listAll(source, all, start, signal, save);
  commit(await save(all));
}

/** Where an interrupted listing continues, and what it had found. */
interface Progress {
  readonly position?: unknown;
  readonly found?: unknown;
}

/** Lists everything from a position, and adds it to `found`. */
async function* listAll(
  source: MailSource,
  found: MailCursor,
  start: unknown,
  signal: AbortSignal,
  save: (found: MailCursor) => Promise<unknown> = () => Promise.resolve(null),
): AsyncGenerator<Change, void, undefined> {
  if (start === null) yield { entry: messagesEntry('', source.title, 'id', null) };
  let position = start;
  for (let pages = 1; ; pages++) {
    const page = await source.service.tracked(position, signal);
    for (const { id, place } of page.messages) found.setPlace(id, place);
    yield* attachmentsOf(source, page.messages, found, signal);
    if (page.next === null) {
      found.state = page.state;
      return;
    }
    position = page.next;
    const stored = await save(found);
    const isLarge = stored !== null && Object.hasOwn(Object(stored), 'file');
    if (stored === null || (isLarge && pages % pagesPerCheckpoint !== 0)) continue;
    const checkpoint = { position, found: stored };
    if (JSON.stringify(checkpoint).length <= maxCheckpointChars) yield { checkpoint };
  }
}

async function* attachmentsOf(
  { reader, withAttachments }: MailSource,
  messages: readonly ListedMail[],
  found: MailCursor,
  signal: AbortSignal,
): AsyncGenerator<Change, void, undefined> {
  if (!withAttachments) return;
  const wanted = messages.filter(({ mayHaveAttachments }) => mayHaveAttachments);
  for await (const [, message] of reader.parsed(wanted, signal)) {
    if (message === null || found.attachmentsOf(message.id).length > 0) continue;
    found.setAttachments(message.id, namesOf(message));
    for (const entry of attachmentEntries('', message)) yield { entry };
  }
}

/** Yields the changes of messages and of their attachments. */
async function* applyChanges(
  source: MailSource,
  next: MailCursor,
  { changed, removed, state }: MailChanges,
  signal: AbortSignal,
): AsyncGenerator<Change, void, undefined> {
  const gone = new Set(removed);
  for (let at = 0; at < changed.length; at += batchSize) {
    const records: SourceRecord[] = [];
    const batch = changed.slice(at, at + batchSize);
    for await (const [listed, message] of source.reader.parsed(batch, signal)) {
      if (message === null) {
        gone.add(listed.id);
        continue;
      }
      next.setPlace(listed.id, listed.place);
      records.push(recordOf('', message));
      if (source.withAttachments) yield* changedAttachments(next, message);
    }
    if (records.length > 0) yield { path: messagesPath(''), records, removedKeys: [] };
  }
  yield* removals(next, gone);
  next.state = state;
}

function* changedAttachments(
  next: MailCursor,
  message: MailMessage,
): Generator<Change, void, undefined> {
  const { id } = message;
  const names = namesOf(message);
  const before = next.attachmentsOf(id);
  next.setAttachments(id, names);
  // The labels of a message may have changed, but never its attachments, except those of a draft.
  if (before.join('/') !== names.join('/') || message.flags.includes('draft'))
    for (const entry of attachmentEntries('', message)) yield { entry };
  for (const name of before)
    if (!names.includes(name)) yield { removed: attachmentPath('', id, name) };
}

function* removals(
  next: MailCursor,
  gone: ReadonlySet<string>,
): Generator<Change, void, undefined> {
  const removedKeys: RecordKey[] = [];
  for (const id of gone) {
    removedKeys.push({ id });
    for (const name of next.attachmentsOf(id)) yield { removed: attachmentPath('', id, name) };
    next.remove(id);
  }
  if (removedKeys.length > 0) yield { path: messagesPath(''), records: [], removedKeys };
}

function namesOf({ mail }: MailMessage): readonly string[] {
  return mail.attachments.map(({ name }) => name);
}
