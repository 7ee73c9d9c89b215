import type { Entry, FieldValue, SourceRecord } from '@trove/core';

import type { Mail } from './parse.js';

/** A folder has one object for all messages, and one for each attachment. */
const messagesFile = 'messages.jsonl';
const attachmentsFolder = 'attachments';

export type MessageKey = Readonly<Record<string, string | number>>;

/** A message within its folder. */
export interface MailMessage {
  readonly key: MessageKey;
  /** The name of the folder of its attachments. */
  readonly id: string;
  /** Flags that users set: `flagged`, `answered`, `forwarded`, `draft`. */
  readonly flags: readonly string[];
  /** Changes whenever the record may have changed. */
  readonly version: string;
  /** Further values of the record, such as its labels. */
  readonly fields?: Readonly<Record<string, FieldValue>>;
  /** The address of its page for people. */
  readonly url?: string;
  readonly mail: Mail;
}

/** A parsed path. `folder` is '' if the source is a single mailbox. */
export interface MailPath {
  readonly folder: string;
  /** Null for the messages of the folder. */
  readonly attachment: { readonly id: string; readonly name: string } | null;
}

export function messagesPath(folder: string): string {
  return folder === '' ? messagesFile : `${folder}/${messagesFile}`;
}

export function attachmentPath(folder: string, id: string, name: string): string {
  return `${folder === '' ? '' : `${folder}/`}${attachmentsFolder}/${id}/${name}`;
}

export function parseMailPath(path: string): MailPath | null {
  const levels = path.split('/');
  if (levels.some((level) => level === '' || level === '.' || level === '..')) return null;
  if (levels.at(-1) === messagesFile && levels.at(-3) !== attachmentsFolder)
    return { folder: levels.slice(0, -1).join('/'), attachment: null };
  const [kind, id, name] = levels.slice(-3);
  if (kind !== attachmentsFolder || id === undefined || name === undefined) return null;
  return { folder: levels.slice(0, -3).join('/'), attachment: { id, name } };
}

export function messagesEntry(
  folder: string,
  title: string,
  keyField: string,
  fingerprint: string | null,
): Entry {
  return {
    path: messagesPath(folder),
    kind: 'message_stream',
    size: null,
    modifiedAt: null,
    fingerprint,
    title,
    keyFields: [keyField],
  };
}

/** Returns an entry for each attachment of a message. */
export function attachmentEntries(folder: string, message: MailMessage): Entry[] {
  const { id, mail, version } = message;
  const { subject, from, author, at } = mail;
  return mail.attachments.map(({ name, mediaType }) => ({
    path: attachmentPath(folder, id, name),
    size: null,
    modifiedAt: at,
    fingerprint: version,
    title: name,
    ...(isSpecificType(mediaType) ? { mediaType } : {}),
    ...(author === '' ? {} : { author }),
    fields: { subject, from, ...message.key },
  }));
}

export function recordOf(folder: string, message: MailMessage): SourceRecord {
  const { key, id, flags, version, fields, url, mail } = message;
  const { messageId, thread, subject, author, from, to, cc, at, text } = mail;
  const names = mail.attachments.map(({ name }) => name);
  const attachmentLines = names.length === 0 ? [] : [`Attachments: ${names.join(', ')}`];
  return {
    key,
    fields: {
      ...key,
      subject,
      from,
      to,
      ...(cc.length === 0 ? {} : { cc }),
      date: at === null ? null : new Date(at).toISOString(),
      ...(messageId === '' ? {} : { message_id: messageId }),
      ...(flags.length === 0 ? {} : { flags }),
      ...fields,
    },
    text: [text === '' ? subject : text, ...attachmentLines].join('\n\n'),
    version,
    ...(subject === '' ? {} : { title: subject }),
    ...(url === undefined ? {} : { url }),
    ...(author === '' ? {} : { author }),
    ...(at === null ? {} : { at }),
    ...(thread === '' ? {} : { thread }),
    ...(names.length === 0
      ? {}
      : { attachments: names.map((name) => attachmentPath(folder, id, name)) }),
  };
}

/** Mail programs also use these types for unknown content. */
function isSpecificType(mediaType: string): boolean {
  return !/^(?:application\/(?:octet-stream|x-unknown|download)|text\/plain)$/.test(mediaType);
}
