import type { Conversion, ConversionRequest } from '@trove/core';
import { structureOf } from '@trove/text/mail';
import PostalMime, { type Address, type Email } from 'postal-mime';

import { damaged, tooComplex } from '../errors.js';
import { writeMessage, type Person } from './write-message.js';

export async function convertEml({ bytes }: Pick<ConversionRequest, 'bytes'>): Promise<Conversion> {
  const email = await parse(bytes);
  const { subject = '', from, sender, to, cc, date = '', text = '', html = '' } = email;
  if (
    from === undefined &&
    sender === undefined &&
    to === undefined &&
    subject === '' &&
    date === ''
  ) {
    throw damaged('has none of the headers of a message');
  }
  return writeMessage({
    subject,
    from: personsOf([from ?? sender].filter((each) => each !== undefined)),
    to: personsOf(to),
    cc: personsOf(cc),
    date,
    text,
    html,
    attachments: email.attachments.flatMap(({ filename, related }) =>
      filename === null || related === true ? [] : [filename],
    ),
  });
}

async function parse(bytes: Uint8Array): Promise<Email> {
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { skeleton, isTruncated } = structureOf(message, {
    maxTextBytes: bytes.length,
    nested: true,
  });
  if (isTruncated) throw tooManyParts();
  try {
    return await PostalMime.parse(new Uint8Array(skeleton));
  } catch {
    throw tooManyParts();
  }
}

function tooManyParts(): Error {
  return tooComplex('has parts nested too deeply, or too many headers');
}

function personsOf(addresses: readonly Address[] = []): Person[] {
  return addresses.flatMap((each) =>
    each.group === undefined ? [{ name: each.name, address: each.address }] : each.group,
  );
}
