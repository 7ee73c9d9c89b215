import type { RecordMapping, Scope } from '@trove/connector-kit/http';

import type { IntercomConfig } from './config.js';
import { authorName, type MessageAuthor } from './people.js';
import { inboxUrl } from './site.js';
import { plainText } from './texts.js';

/** A message or an event in a conversation or ticket. */
export interface MessagePart {
  readonly id: number | string;
  readonly part_type?: string;
  /** Absent for most events. */
  readonly body?: string | null;
  readonly created_at: number;
  readonly author?: MessageAuthor;
  readonly attachments?: readonly { readonly name?: string | null }[] | null;
  readonly redacted?: boolean;
}

/** A part, with the conversation or ticket that it belongs to. */
export interface PartItem extends MessagePart {
  readonly id: string;
  readonly of: string;
}

/** Types of parts that customers see. Notes and notes of assignments are internal. */
const publicTypes: ReadonlySet<string> = new Set(['comment', 'open', 'close', 'quick_reply']);

export function partItems(
  parts: readonly MessagePart[] | undefined,
  of: string,
): readonly PartItem[] | undefined {
  return parts?.map((part) => ({ ...part, id: String(part.id), of }));
}

/** Whether a part is a message that the source contains. Redacted parts have no text any more. */
export function isMessage(
  { body, attachments, redacted, part_type: type = '' }: PartItem,
  { config }: Pick<Scope<IntercomConfig>, 'config'>,
): boolean {
  if (redacted === true) return false;
  const hasContent = plainText(body) !== '' || namesOfFiles(attachments) !== undefined;
  return hasContent && (config.internal_notes || publicTypes.has(type));
}

export const partRecord: RecordMapping<IntercomConfig> = {
  text: ({ body, attachments }: PartItem) =>
    plainText(body) || namesOfFiles(attachments)?.join('\n'),
  at: 'created_at',
  author: ({ author }: PartItem) => authorName(author),
  url: ({ of }: PartItem, scope) => inboxUrl(of, scope),
  thread: 'of',
  fields: {
    type: 'part_type',
    internal: ({ part_type: type = '' }: PartItem) => !publicTypes.has(type),
    files: ({ attachments }: PartItem) => namesOfFiles(attachments),
  },
};

/** Returns the names of attachments. Undefined if there is none, because an empty list would be shown. */
export function namesOfFiles(
  attachments: MessagePart['attachments'],
): readonly string[] | undefined {
  const names = attachments?.flatMap(({ name }) => name || []) ?? [];
  return names.length === 0 ? undefined : names;
}
