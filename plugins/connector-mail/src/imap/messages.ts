import type { FetchMessageObject, ImapFlow } from 'imapflow';

import { decoded } from '@trove/text/mail';
import type { Message } from '../mail/objects.js';
import { parseMail } from '../mail/parse.js';
import type { Folder } from './folders.js';
import { longestText, partAt, reducedMessage, textPlaces } from './reduced.js';
import { searched } from './search.js';
import type { Session } from './session.js';

/** Messages that are asked for at a time. */
const atOnce = 50;
const largestAttachment = 96 * 1024 * 1024;
const flagNames: Readonly<Record<string, string>> = {
  '\\Answered': 'answered',
  '\\Draft': 'draft',
  '\\Flagged': 'flagged',
  $Forwarded: 'forwarded',
};

/**
 * The numbers of the messages of a folder, or of one if it is there, without those that are marked as deleted, and those that
 * came since its state was told.
 */
export async function uidsOf(
  session: Session,
  { path, count, uidNext }: Folder,
  signal: AbortSignal,
  uid?: number,
): Promise<number[]> {
  if (count === 0) return [];
  const one = uid === undefined ? {} : { uid: String(uid) };
  const uids = await searched(session, path, { deleted: false, ...one }, signal);
  return uidNext === 0 ? uids : uids.filter((each) => each < uidNext);
}

/** Messages by their numbers; those that are gone are left out. `texts`: whether what they say is read, too. */
export async function* messagesOf(
  session: Session,
  folder: Folder,
  uids: readonly number[],
  texts: boolean,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  for (let at = 0; at < uids.length; at += atOnce) {
    const some = uids.slice(at, at + atOnce);
    const fetched = await session.inFolder(folder.path, signal, (client) =>
      fetchSome(client, some, texts),
    );
    for (const { message, parts } of fetched ?? []) {
      signal.throwIfAborted();
      yield await messageFrom(folder, message, parts);
    }
  }
}

/** The bytes of a part of a message; null when there is none. */
export async function partOf(
  session: Session,
  { path }: Folder,
  uid: number,
  place: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return session.inFolder(path, signal, async (client) => {
    const query = {
      uid: true,
      bodyStructure: true,
      bodyParts: [{ key: place, maxLength: largestAttachment }],
    };
    const found = await client.fetchOne(String(uid), query, { uid: true });
    if (found === false || found.bodyStructure === undefined) return null;
    const encoding = partAt(found.bodyStructure, place)?.encoding ?? '';
    const bytes = found.bodyParts?.get(place);
    return bytes === undefined ? null : decoded(bytes, encoding.toLowerCase());
  });
}

interface Fetched {
  readonly message: FetchMessageObject;
  readonly parts: ReadonlyMap<string, Buffer>;
}

async function fetchSome(
  client: ImapFlow,
  uids: readonly number[],
  texts: boolean,
): Promise<Fetched[]> {
  const range = uids.join(',');
  const query = { uid: true, flags: true, internalDate: true, headers: true, bodyStructure: true };
  const messages = await client.fetchAll(range, query, { uid: true });
  const parts = new Map<number, ReadonlyMap<string, Buffer>>();
  // Messages that are made alike are asked for together.
  const alike = new Map<string, number[]>();
  for (const { uid, bodyStructure } of texts ? messages : []) {
    const places = bodyStructure === undefined ? '' : textPlaces(bodyStructure).join(' ');
    if (places !== '') alike.set(places, [...(alike.get(places) ?? []), uid]);
  }
  for (const [places, some] of alike) {
    const bodyParts = places.split(' ').map((key) => ({ key, maxLength: longestText }));
    const found = await client.fetchAll(some.join(','), { uid: true, bodyParts }, { uid: true });
    for (const message of found) parts.set(message.uid, message.bodyParts ?? new Map());
  }
  const order = new Map(uids.map((uid, at) => [uid, at]));
  return messages
    .filter(({ uid }) => order.has(uid))
    .sort((a, b) => a.uid - b.uid)
    .map((message) => ({ message, parts: parts.get(message.uid) ?? new Map() }));
}

async function messageFrom(
  { validity }: Folder,
  {
    uid,
    flags = new Set(),
    headers = Buffer.alloc(0),
    bodyStructure,
    internalDate,
  }: FetchMessageObject,
  parts: ReadonlyMap<string, Buffer>,
): Promise<Message> {
  const structure = bodyStructure ?? { type: 'text/plain' };
  const mail = await parseMail(reducedMessage(headers, structure, parts));
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

/** What people did with a message; that they have read it is none of it. */
export function flagsOf(flags: ReadonlySet<string>): string[] {
  return [...flags].flatMap((flag) => flagNames[flag] ?? []).sort();
}
