import { decompressRTF } from '@kenjiuno/decompressrtf';
import reader, { type FieldsData } from '@kenjiuno/msgreader';
import type { Conversion, ConversionRequest } from '@trove/core';
import { decodeHtml } from '@trove/text/markdown';

import { damaged } from '../errors.js';
import { convertRtf } from '../rtf/rtf.js';
import { writeMessage, type Person } from './write-message.js';

/** Converts an Outlook message, appointment or contact. */
export function convertMsg({ bytes }: Pick<ConversionRequest, 'bytes'>): Conversion {
  const fields = read(bytes);
  const { subject, senderName, recipients = [], attachments = [] } = fields;
  const sender = fields.senderSmtpAddress ?? smtp(fields.senderEmail);
  const html = fields.bodyHtml ?? (fields.html === undefined ? '' : decodeHtml(fields.html));
  const text = plainText(fields.body);
  const people = (type: string): Person[] =>
    recipients.filter(({ recipType }) => recipType === type).map(personOf);
  return writeMessage({
    subject: plainText(subject),
    from: [{ name: plainText(senderName), address: sender }],
    to: people('to'),
    cc: people('cc'),
    date: dateOf(fields),
    text: text === '' && html === '' ? textOfRtf(fields.compressedRtf) : text,
    html,
    attachments: attachments.map(({ fileName, fileNameShort, name }) =>
      plainText(fileName ?? fileNameShort ?? name),
    ),
  });
}

function read(bytes: Uint8Array): FieldsData {
  const { buffer } = Uint8Array.from(bytes);
  const fields = attempt(() => new reader.default(buffer).getFileData());
  if (fields.error !== undefined || fields.dataType === null) {
    throw damaged('is not an Outlook message');
  }
  const ansiEncoding = ansiEncodingOf(fields);
  if (ansiEncoding === null) return fields;
  const again = new reader.default(buffer);
  again.parserConfig = { ansiEncoding };
  return attempt(() => again.getFileData());
}

/** Returns the code page of an older message, or null for the default, Western Europe. */
function ansiEncodingOf({ messageCodepage, internetCodepage }: FieldsData): string | null {
  const codepage = messageCodepage ?? internetCodepage ?? 0;
  return codePages.has(codepage) ? `cp${codepage}` : null;
}

const codePages: ReadonlySet<number> = new Set([
  874, 932, 936, 949, 950, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258,
]);

function attempt<T>(use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw damaged('cannot be read as an Outlook message', cause);
  }
}

function personOf({ name, smtpAddress, email }: FieldsData): Person {
  return { name: plainText(name), address: smtpAddress ?? smtp(email) };
}

/** Within an organisation, senders have internal addresses that are useless elsewhere. */
function smtp(address = ''): string {
  return /^[^\s/]+@[^\s/]+$/.test(address) ? address : '';
}

function dateOf({ clientSubmitTime, messageDeliveryTime, creationTime }: FieldsData): string {
  const sentAt = clientSubmitTime ?? messageDeliveryTime ?? creationTime ?? '';
  const date = new Date(sentAt);
  return Number.isNaN(date.getTime()) ? sentAt : date.toISOString();
}

function plainText(text = ''): string {
  return text.replaceAll('\0', '').trim();
}

/** Returns the text of an RTF body, or '' if it cannot be read. */
function textOfRtf(compressed: Uint8Array | undefined): string {
  if (compressed === undefined) return '';
  try {
    const bytes = Uint8Array.from(decompressRTF([...compressed]));
    return convertRtf({ bytes }).markdown;
  } catch {
    return '';
  }
}
