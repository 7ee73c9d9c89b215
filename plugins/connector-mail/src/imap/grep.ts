import type { GrepItem, GrepRequest, SourceRecord } from '@trove/core';
import { decodeAs, sniff } from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';
import { compilePathFilter } from '@trove/text/glob';

import {
  attachmentPath,
  messagesPath,
  recordOf,
  type MailMessage,
} from '@trove/connector-kit/mail';
import type { ImapConfig } from './config.js';
import { listFolders, type ImapFolder } from './folders.js';
import { fetchMessages, fetchPart } from './messages.js';
import { searchFolder } from './search.js';
import type { ImapSession } from './session.js';

/** Asks the server for messages with a text, then searches these messages. */
export async function* grepMessages(
  session: ImapSession,
  config: ImapConfig,
  request: GrepRequest,
): AsyncGenerator<GrepItem> {
  const { pattern, path, globs, ignoreCase, limit, signal } = request;
  if (pattern === '' || pattern.includes('\n')) return;
  const matchesFilter = compilePathFilter(globs, path);
  const isIncluded = (object: string): boolean =>
    (path === '' || isWithin(object, path)) && matchesFilter(object);
  const isMatch = (line: string): boolean =>
    ignoreCase ? line.toLowerCase().includes(pattern.toLowerCase()) : line.includes(pattern);
  let remaining = limit;
  let isNoticeSent = false;
  for (const folder of await listFolders(session, config, signal)) {
    const { name, count } = folder;
    const overlapsPath = path === '' || isWithin(name, path) || isWithin(path, name);
    if (!overlapsPath || count === 0) continue;
    const messages = messagesPath(name);
    if (!isNoticeSent) {
      yield {
        notice:
          'The mail server does not find words that HTML tags divide, or text in attachments other than plain text.',
      };
    }
    isNoticeSent = true;
    const uids = await candidates(session, folder, pattern, signal);
    for await (const message of fetchMessages(session, folder, uids, true, signal)) {
      const record = recordOf(name, message);
      const content = isIncluded(messages) ? linesOf(record).find(isMatch) : undefined;
      if (content !== undefined) {
        if (remaining-- <= 0) return;
        yield { path: messages, key: record.key, content };
      }
      if (!config.attachments) continue;
      for await (const item of grepAttachments(session, folder, message, isIncluded, request)) {
        if (remaining-- <= 0) return;
        yield item;
      }
    }
  }
}

/** Searches plain text attachments. The caller searches documents itself. */
async function* grepAttachments(
  session: ImapSession,
  folder: ImapFolder,
  { id, mail }: MailMessage,
  isIncluded: (path: string) => boolean,
  { pattern, ignoreCase, excludedMediaTypes, signal }: GrepRequest,
): AsyncGenerator<GrepItem> {
  for (const { name, mediaType, partId } of mail.attachments) {
    const path = attachmentPath(folder.name, id, name);
    const type = mediaTypeOf(name) ?? mediaType;
    if (
      !isIncluded(path) ||
      excludedMediaTypes.includes(type) ||
      excludedMediaTypes.includes(mediaType)
    )
      continue;
    if (!/^text\/|\b(?:json|xml|yaml|javascript|csv)\b/.test(`${type} ${mediaType}`)) continue;
    const bytes = await fetchPart(session, folder, Number(id), partId, signal);
    const sniffed = bytes === null ? null : sniff(bytes);
    if (bytes === null || sniffed === null || sniffed.binary) continue;
    const needle = ignoreCase ? pattern.toLowerCase() : pattern;
    for (const [at, line] of decodeAs(bytes, sniffed).split(/\r?\n/).entries()) {
      const column = (ignoreCase ? line.toLowerCase() : line).indexOf(needle) + 1;
      if (column === 0) continue;
      const lines = [at + 1, at + 1] as const;
      yield { path, lines, content: line, match: { lines, column } };
    }
  }
}

/** Returns a superset of the matches, because servers ignore case and also search hidden text. */
async function candidates(
  session: ImapSession,
  { path }: ImapFolder,
  pattern: string,
  signal: AbortSignal,
): Promise<number[]> {
  const criteria = [
    { body: pattern },
    { subject: pattern },
    { from: pattern },
    { to: pattern },
    { cc: pattern },
    { header: { 'Message-ID': pattern } },
  ];
  return searchFolder(session, path, { deleted: false, or: criteria }, signal);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Returns the text and field values of a record as lines. */
function linesOf({ text = '', fields }: SourceRecord): string[] {
  return [...text.split('\n'), ...Object.values(fields).flat().map(String)];
}
