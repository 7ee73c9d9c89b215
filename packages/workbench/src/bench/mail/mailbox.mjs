/* Conversations as files of a Maildir. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { textOf } from '../records/table.mjs';

const dayMs = 86_400_000;
const firstAt = Date.UTC(2020, 0, 1);
const messagesInThread = 4;
/** One in this many messages has an attachment. */
const attachedEvery = 50;

export class Mailbox {
  #folder;
  #own;
  #count = 0;

  /** `own` is called with each created folder. */
  constructor(folder, own = () => undefined) {
    this.#folder = folder;
    this.#own = own;
    for (const path of [folder, ...['cur', 'new', 'tmp'].map((name) => join(folder, name))]) {
      mkdirSync(path, { recursive: true });
      own(path);
    }
  }

  /** Adds this many old messages. */
  fill(count) {
    for (let at = 0; at < count; at++) this.#write('cur', textOf(at));
  }

  /** Delivers a new message with unique words, like a mail server. */
  deliver() {
    const word = `zq${this.#count}`.replaceAll(/\d/g, (digit) => 'bcdfghjklm'[digit]);
    this.#write('new', `${textOf(this.#count)} ${word}`);
    return word;
  }

  #write(where, text) {
    const number = this.#count++;
    const name = `${1_600_000_000 + number}.M${number}.bench${where === 'cur' ? ':2,S' : ''}`;
    const path = join(this.#folder, 'tmp', name);
    writeFileSync(path, messageOf(number, text));
    this.#own(path);
    renameSync(path, join(this.#folder, where, name));
  }
}

function messageOf(number, text) {
  const thread = number - (number % messagesInThread);
  const headers = [
    `Message-ID: <${number}@example.org>`,
    `From: Person ${number % 97} <person${number % 97}@example.org>`,
    'To: ada@example.org',
    `Subject: ${number === thread ? '' : 'Re: '}Matter ${thread}`,
    `Date: ${new Date(firstAt + (number * dayMs) / 30).toUTCString()}`,
    ...(number === thread ? [] : [`References: <${thread}@example.org>`]),
    'MIME-Version: 1.0',
  ];
  const plain = `Content-Type: text/plain; charset=utf-8\n\n${text}\n`;
  if (number % attachedEvery !== 0) return `${headers.join('\n')}\n${plain}`;
  const disposition = `Content-Disposition: attachment; filename=notes-${number}.txt`;
  const parts = [plain, `Content-Type: text/plain\n${disposition}\n\n${text}\n`];
  const body = parts.map((part) => `--b\n${part}`).join('');
  return `${headers.join('\n')}\nContent-Type: multipart/mixed; boundary=b\n\n${body}--b--\n`;
}
