import { createHash, type Hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openAt } from '@trove/core/local';

import { endOfHeader } from '@trove/text/mail';
import { isAbsent } from './failures.js';
import { maxMessageBytes, type MailboxItem, type Mailbox } from './mailbox.js';
import { parseHead, shortHash } from './mbox-head.js';
import { splitMbox } from './mbox-splitter.js';

interface MboxMessage extends MailboxItem {
  /** The byte offsets of its `From ` line and of the next one. */
  readonly start: number;
  readonly end: number;
  /** A hash of its Message-ID or its bytes. Copies of a message share it. */
  readonly identity: string;
}

const maxHeadBytes = 256 * 1024;

/** A file of messages. A line that starts with `From ` precedes each one. */
export class MboxFile implements Mailbox {
  readonly folder: string;
  readonly path: string;

  constructor(folder: string, path: string) {
    this.folder = folder;
    this.path = path;
  }

  /** Programs replace the file, so its folder is watched. */
  get watchedFolders(): string[] {
    return [dirname(this.path)];
  }

  async stamp(): Promise<string> {
    const { size, mtimeNs, ino } = await stat(this.path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  }

  /** Reads the whole file, because programs edit messages in place and remove some from the middle. */
  async *items(signal: AbortSignal): AsyncGenerator<MailboxItem> {
    yield* this.#spans(signal);
  }

  async bytes(item: MailboxItem): Promise<Buffer | null> {
    const known = isMboxMessage(item) ? await this.#contentOf(item) : null;
    if (known !== null) return known;
    // The file was rewritten.
    for await (const span of this.#spans()) if (span.id === item.id) return this.#contentOf(span);
    return null;
  }

  async *#spans(signal?: AbortSignal): AsyncGenerator<MboxMessage> {
    const met = new Map<string, number>();
    const file = await openAt(this.path);
    const stream = file.createReadStream({
      highWaterMark: 1024 * 1024,
      ...(signal === undefined ? {} : { signal }),
    });
    let reading: MessageBuilder | null = null;
    for await (const piece of splitMbox(stream)) {
      if (!piece.isFirst) {
        reading?.add(piece.bytes);
        continue;
      }
      if (reading !== null) yield* reading.end(piece.at, met);
      reading = new MessageBuilder(piece.at);
    }
    if (reading !== null) yield* reading.end(stream.bytesRead, met);
  }

  /** Returns null if these offsets no longer contain the message. */
  async #contentOf({ start, end, identity }: MboxMessage): Promise<Buffer | null> {
    const content = await this.#between(start, Math.min(end, start + maxMessageBytes));
    if (content === null || !content.subarray(0, 5).equals(Buffer.from('From '))) return null;
    const message = content.subarray(content.indexOf('\n') + 1);
    const reading = new MessageBuilder(start);
    reading.add(message);
    if (reading.identity() !== identity) return null;
    return unquoteFromLines(message);
  }

  async #between(start: number, end: number): Promise<Buffer | null> {
    try {
      const file = await openAt(this.path);
      try {
        const buffer = Buffer.alloc(end - start);
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }
}

/** Collects the identity, flags and version of a message from its bytes. */
class MessageBuilder {
  readonly #start: number;
  readonly #head: Buffer[] = [];
  #headLength = 0;
  #hash: Hash | null = null;
  #facts = parseHead('');

  constructor(start: number) {
    this.#start = start;
  }

  add(bytes: Buffer): void {
    if (this.#hash !== null) {
      this.#hash.update(bytes);
      return;
    }
    this.#head.push(bytes);
    this.#headLength += bytes.length;
    const head = Buffer.concat(this.#head);
    const end = endOfHeader(head, 0, head.length);
    if (end < head.length || this.#headLength > maxHeadBytes) this.#begin(head, end);
  }

  *end(end: number, met: Map<string, number>): Generator<MboxMessage> {
    const identity = this.identity();
    if (this.#facts.isDeleted) return;
    const count = (met.get(identity) ?? 0) + 1;
    met.set(identity, count);
    const version = (this.#hash ?? createHash('sha256')).digest('base64url').slice(0, 8);
    const id = count === 1 ? identity : shortHash(`${identity} ${count}`);
    yield { id, identity, version, flags: this.#facts.flags, start: this.#start, end };
  }

  /** Returns a hash of its `Message-ID`, or else of all its bytes. */
  identity(): string {
    if (this.#hash === null) this.#begin(Buffer.concat(this.#head), this.#headLength);
    return this.#facts.identity || (this.#hash?.copy().digest('base64url').slice(0, 12) ?? '');
  }

  #begin(head: Buffer, end: number): void {
    this.#facts = parseHead(head.toString('latin1', 0, Math.min(end, maxHeadBytes)));
    const { stableHeaders: lasting, flags } = this.#facts;
    this.#hash = createHash('sha256')
      .update(`${flags.join(' ')}\n${lasting}`)
      .update(head.subarray(end));
  }
}

function isMboxMessage(item: MailboxItem): item is MboxMessage {
  return 'start' in item && 'end' in item && 'identity' in item;
}

/** Removes the `>` that mail programs write before lines that start with `From `. */
function unquoteFromLines(message: Buffer): Buffer {
  if (!message.includes('\n>')) return message;
  return Buffer.from(message.toString('latin1').replaceAll(/^>(>*From )/gm, '$1'), 'latin1');
}
