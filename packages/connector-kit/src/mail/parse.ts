import PostalMime, { type Address, type Email } from 'postal-mime';

import { bodyOf } from './body.js';
import { assignNames, type MailAttachment } from './attachment-names.js';

/** A parsed message. */
export interface Mail {
  /** Without angle brackets, or ''. */
  readonly messageId: string;
  /** The ID of the first message of its thread, or ''. */
  readonly thread: string;
  /** The IDs in its References and In-Reply-To headers, oldest first. */
  readonly ancestors: readonly string[];
  readonly subject: string;
  /** The name or else the address of its author, or ''. */
  readonly author: string;
  /** In the form `Ada <ada@example.org>`. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Milliseconds since 1970, or null. */
  readonly at: number | null;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
}

const maxAddresses = 100;
/** Signatures have no readable content. */
const signatureTypes = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-encrypted)$/;
const maxThreadChars = 400;
const maxAncestors = 100;

/** Parses a reduced message, whose non-text parts contain only their part ID. */
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
    // The parser limits nesting and the length of headers.
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

/** Returns the first ID, which belongs to the first message of the thread. */
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
