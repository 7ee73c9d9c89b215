import type { FetchMessageObject, ImapFlow } from 'imapflow';

import { parseMail, type MailMessage } from '@trove/connector-kit/mail';
import { decodeTransfer } from '@trove/text/mail';

import type { ImapFolder } from './folders.js';
import { maxTextBytes, findPart, buildReducedMessage, listTextParts } from './reduced-message.js';
import { searchFolder } from './search.js';
import type { ImapSession } from './session.js';

const maxMessagesPerFetch = 50;
const maxAttachmentBytes = 96 * 1024 * 1024;
const flagNames: Readonly<Record<string, string>> = {
  '\\Answered': 'answered',
  '\\Draft': 'draft',
  '\\Flagged': 'flagged',
  $Forwarded: 'forwarded',
};

/**
 * Returns the UIDs of a folder's messages, or `[uid]` if that message exists. Omits messages that are flagged as deleted,
 * and messages newer than the state of the folder.
 */
export async function listUids(
  session: ImapSession,
  { path, count, uidNext }: ImapFolder,
  signal: AbortSignal,
  uid?: number,
): Promise<number[]> {
  if (count === 0) return [];
  const uidQuery = uid === undefined ? {} : { uid: String(uid) };
  const uids = await searchFolder(session, path, { deleted: false, ...uidQuery }, signal);
  return uidNext === 0 ? uids : uids.filter((each) => each < uidNext);
}

/** Fetches messages by UID and omits missing ones. `texts` also fetches their text. */
export async function* fetchMessages(
  session: ImapSession,
  folder: ImapFolder,
  uids: readonly number[],
  withTexts: boolean,
  signal: AbortSignal,
): AsyncGenerator<MailMessage> {
  for (let at = 0; at < uids.length; at += maxMessagesPerFetch) {
    const batch = uids.slice(at, at + maxMessagesPerFetch);
    const fetched = await session.withFolder(folder.path, signal, (client) =>
      fetchBatch(client, batch, withTexts),
    );
    for (const { message, parts } of fetched ?? []) {
      signal.throwIfAborted();
      yield await toMessage(folder, message, parts);
    }
  }
}

/** Returns the decoded bytes of a part, or null if it does not exist. */
export async function fetchPart(
  session: ImapSession,
  { path }: ImapFolder,
  uid: number,
  partId: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return session.withFolder(path, signal, async (client) => {
    const query = {
      uid: true,
      bodyStructure: true,
      bodyParts: [{ key: partId, maxLength: maxAttachmentBytes }],
    };
    const fetched = await client.fetchOne(String(uid), query, { uid: true });
    if (fetched === false || fetched.bodyStructure === undefined) return null;
    const encoding = findPart(fetched.bodyStructure, partId)?.encoding ?? '';
    const bytes = fetched.bodyParts?.get(partId);
    return bytes === undefined ? null : decodeTransfer(bytes, encoding.toLowerCase());
  });
}

interface FetchedMessage {
  readonly message: FetchMessageObject;
  readonly parts: ReadonlyMap<string, Buffer>;
}

async function fetchBatch(
  client: ImapFlow,
  uids: readonly number[],
  withTexts: boolean,
): Promise<FetchedMessage[]> {
  const range = uids.join(',');
  const query = { uid: true, flags: true, internalDate: true, headers: true, bodyStructure: true };
  const messages = await client.fetchAll(range, query, { uid: true });
  const parts = new Map<number, ReadonlyMap<string, Buffer>>();
  // Messages with equal text parts are fetched together.
  const uidsByParts = new Map<string, number[]>();
  for (const { uid, bodyStructure } of withTexts ? messages : []) {
    const partIds = bodyStructure === undefined ? '' : listTextParts(bodyStructure).join(' ');
    if (partIds !== '') uidsByParts.set(partIds, [...(uidsByParts.get(partIds) ?? []), uid]);
  }
  for (const [partIds, batch] of uidsByParts) {
    const bodyParts = partIds.split(' ').map((key) => ({ key, maxLength: maxTextBytes }));
    const fetched = await client.fetchAll(batch.join(','), { uid: true, bodyParts }, { uid: true });
    for (const message of fetched) parts.set(message.uid, message.bodyParts ?? new Map());
  }
  const order = new Map(uids.map((uid, at) => [uid, at]));
  return messages
    .filter(({ uid }) => order.has(uid))
    .sort((a, b) => a.uid - b.uid)
    .map((message) => ({ message, parts: parts.get(message.uid) ?? new Map() }));
}

async function toMessage(
  { validity }: ImapFolder,
  {
    uid,
    flags = new Set(),
    headers = Buffer.alloc(0),
    bodyStructure,
    internalDate,
  }: FetchMessageObject,
  parts: ReadonlyMap<string, Buffer>,
): Promise<MailMessage> {
  const structure = bodyStructure ?? { type: 'text/plain' };
  const mail = await parseMail(buildReducedMessage(headers, structure, parts));
  const names = flagsOf(flags);
  const arrived = internalDate === undefined ? NaN : new Date(internalDate).getTime();
  const at = mail.at ?? (Number.isNaN(arrived) ? null : arrived);
  return {
    key: { uid },
    id: String(uid),
    flags: names,
    version: [validity, ...names].join(' '),
    mail: { ...mail, at },
  };
}

/** Returns the flags that users set, except "read". */
export function flagsOf(flags: ReadonlySet<string>): string[] {
  return [...flags].flatMap((flag) => flagNames[flag] ?? []).sort();
}
