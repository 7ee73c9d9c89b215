import { decodeTransfer, structureOf } from '@trove/text/mail';

import { parseMail, type Mail } from './parse.js';

/** Parses a message with all its contents. */
export function readMail(bytes: Buffer): Promise<Mail> {
  return parseMail(structureOf(bytes).skeleton);
}

/** Returns the decoded bytes of an attachment of a message, or null if it does not exist. */
export async function readAttachment(bytes: Buffer, name: string): Promise<Buffer | null> {
  const { skeleton, leaves } = structureOf(bytes);
  const mail = await parseMail(skeleton);
  const place = mail.attachments.find((each) => each.name === name)?.partId;
  const leaf = place === undefined ? undefined : leaves[Number(place)];
  return leaf === undefined
    ? null
    : decodeTransfer(bytes.subarray(leaf.start, leaf.end), leaf.encoding);
}
