import type { Conversion } from '@trove/core';
import { MarkdownWriter, toOneLine, writeHtml } from '@trove/text/markdown';

import { empty } from '../errors.js';

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** The content of a message in any format. */
export interface MessageContent {
  readonly subject: string;
  readonly from: readonly Person[];
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  /** A date, or the original text of the message. */
  readonly date: string;
  readonly text: string;
  /** Used if there is no text. */
  readonly html: string;
  /** Names. */
  readonly attachments: readonly string[];
}

/** Writes headers, body and attachment names. */
export function writeMessage(message: MessageContent): Conversion {
  const { subject, text, html } = message;
  const attachments = message.attachments.filter((name) => name.trim() !== '');
  if ([subject, text, html, ...attachments].every((part) => part.trim() === '')) {
    throw empty('The message has neither a subject nor a body.');
  }
  const writer = new MarkdownWriter();
  writer.heading(1, subject);
  const headers = [
    ['From', persons(message.from)],
    ['To', persons(message.to)],
    ['Cc', persons(message.cc)],
    ['Date', message.date],
  ] as const;
  for (const [name, value] of headers) {
    if (value !== '') writer.item(0, '-', toOneLine(`${name}: ${value}`));
  }
  if (text.trim() !== '') {
    for (const paragraph of text.split(/\r?\n[ \t]*\r?\n/)) writer.paragraph(paragraph);
  } else writeHtml(html, writer);
  if (attachments.length > 0) writer.heading(2, 'Attachments');
  for (const name of attachments) writer.item(0, '-', toOneLine(name));
  return writer.finish(subject, 'The message has no text.');
}

function persons(all: readonly Person[]): string {
  return all
    .map(({ name, address }) =>
      name === '' || name === address ? address : address === '' ? name : `${name} <${address}>`,
    )
    .filter((person) => person !== '')
    .join(', ');
}
