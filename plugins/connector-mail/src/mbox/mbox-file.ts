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
    yield* this.#messages(signal);
  }

  async bytes(item: MailboxItem): Promise<Buffer | null> {
    const content = isMboxMessage(item) ? await this.#readContent(item) : null;
    if (content !== null) return content;
    // The file was rewritten.
    for await (const message of this.#messages())
      if (message.id === item.id) return this.#readContent(message);
    return null;
  }

  async *#messages(signal?: AbortSignal): AsyncGenerator<MboxMessage> {
    const counts = new Map<string, number>();
    const file = await openAt(this.path);
    const stream = file.createReadStream({
      highWaterMark: 1024 * 1024,
      ...(signal === undefined ? {} : { signal }),
    });
    let builder: MessageBuilder | null = null;
    for await (const piece of splitMbox(stream)) {
      if (!piece.isFirst) {
        builder?.add(piece.bytes);
        continue;
      }
      if (builder !== null) yield* builder.end(piece.at, counts);
      builder = new MessageBuilder(piece.at);
    }
    if (builder !== null) yield* builder.end(stream.bytesRead, counts);
  }

  /** Returns null if these offsets no longer contain the message. */
  async #readContent({ start, end, identity }: MboxMessage): Promise<Buffer | null> {
    const content = await this.#readRange(start, Math.min(end, start + maxMessageBytes));
    if (content === null || !content.subarray(0, 5).equals(Buffer.from('From '))) return null;
    const message = content.subarray(content.indexOf('\n') + 1);
    const builder = new MessageBuilder(start);
    builder.add(message);
    if (builder.identity() !== identity) return null;
    return unquoteFromLines(message);
  }

  async #readRange(start: number, end: number): Promise<Buffer | null> {
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
  #parsedHead = parseHead('');

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
    if (end < head.length || this.#headLength > maxHeadBytes) this.#startHash(head, end);
  }

  *end(end: number, counts: Map<string, number>): Generator<MboxMessage> {
    const identity = this.identity();
    if (this.#parsedHead.isDeleted) return;
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    const version = (this.#hash ?? createHash('sha256')).digest('base64url').slice(0, 8);
    const id = count === 1 ? identity : shortHash(`${identity} ${count}`);
    yield { id, identity, version, flags: this.#parsedHead.flags, start: this.#start, end };
  }

  /** Returns a hash of its `Message-ID`, or else of all its bytes. */
  identity(): string {
    if (this.#hash === null) this.#startHash(Buffer.concat(this.#head), this.#headLength);
    return this.#parsedHead.identity || (this.#hash?.copy().digest('base64url').slice(0, 12) ?? '');
  }

  #startHash(head: Buffer, end: number): void {
    this.#parsedHead = parseHead(head.toString('latin1', 0, Math.min(end, maxHeadBytes)));
    const { stableHeaders, flags } = this.#parsedHead;
    this.#hash = createHash('sha256')
      .update(`${flags.join(' ')}\n${stableHeaders}`)
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
