import PostalMime, { type Address, type Email } from 'postal-mime';

import { bodyOf } from './body.js';
import { assignNames, type MailAttachment } from './attachment-names.js';

/** What a message says, wherever it was kept. */
export interface Mail {
  /** Without its brackets; '' for none. */
  readonly messageId: string;
  /** The message that its conversation began with; '' when nothing tells. */
  readonly thread: string;
  /** The messages that it answers, as far as it says, the first one first. */
  readonly ancestors: readonly string[];
  readonly subject: string;
  /** The name of its author, or the address of one without a name; '' for none. */
  readonly author: string;
  /** As people write them: `Ada <ada@example.org>`. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Milliseconds since 1970, or null. */
  readonly at: number | null;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
}

const maxAddresses = 100;
/** Signatures that programs check. */
const signatureTypes = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-encrypted)$/;
const maxThreadChars = 400;
const maxAncestors = 100;

/** Reads a message in which each part that is no text holds the name of its place instead. */
export async function parseMail(reduced: Uint8Array): Promise<Mail> {
  const email = await parseReduced(reduced);
  const from = formatAddress(email.from ?? email.sender)[0] ?? '';
  const messageId = parseFirstId(email.messageId);
  const at = Date.parse(email.date ?? '');
  return {
    messageId,
    thread: (parseFirstId(email.references) || parseFirstId(email.inReplyTo) || messageId).slice(
      0,
      maxThreadChars,
    ),
    ancestors: [email.references, email.inReplyTo].flatMap(parseIds).slice(0, maxAncestors),
    subject: (email.subject ?? '').replaceAll(/\s+/g, ' ').trim(),
    author: nameOf(email.from ?? email.sender),
    from,
    to: (email.to ?? []).flatMap(formatAddress).slice(0, maxAddresses),
    cc: (email.cc ?? []).flatMap(formatAddress).slice(0, maxAddresses),
    at: Number.isNaN(at) ? null : at,
    text: bodyOf(email),
    attachments: assignNames(email.attachments.flatMap(attachmentsOf)),
  };
}

async function parseReduced(
  reduced: Uint8Array,
): Promise<Pick<Email, 'attachments'> & Partial<Email>> {
  try {
    return await PostalMime.parse(new Uint8Array(reduced), {
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    });
  } catch {
    // More parts within parts, or longer headers, than it reads.
    return { attachments: [], text: '' };
  }
}

function attachmentsOf({
  content,
  filename,
  mimeType,
  related,
}: Email['attachments'][number]): { partId: string; name: string; mediaType: string }[] {
  if (related === true || signatureTypes.test(mimeType)) return [];
  const isMessage = mimeType === 'message/rfc822';
  if ((filename ?? '') === '' && !isMessage) return [];
  const place =
    typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1');
  return [{ partId: place.trim(), name: filename || 'message.eml', mediaType: mimeType }];
}

/** The first one, since that is where a conversation began. */
function parseFirstId(header: string | undefined): string {
  const id = /<([^<>\s]+)>/.exec(header ?? '')?.[1] ?? header?.trim().split(/\s+/)[0];
  return id ?? '';
}

function parseIds(header: string | undefined): string[] {
  return Array.from((header ?? '').matchAll(/<([^<>\s]+)>/g), ([, id = '']) =>
    id.slice(0, maxThreadChars),
  );
}

function nameOf(address: Address | undefined): string {
  return address === undefined ? '' : address.name || address.address || '';
}

function formatAddress(address: Address | undefined): string[] {
  if (address === undefined) return [];
  if (address.group !== undefined) return address.group.flatMap(formatAddress);
  const { name, address: place } = address;
  const text = name === '' || name === place ? place : place === '' ? name : `${name} <${place}>`;
  return text === '' ? [] : [text];
}
