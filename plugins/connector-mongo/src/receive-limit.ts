import { createRequire } from 'node:module';
import type { Transform } from 'node:stream';

import { MongoNetworkError } from 'mongodb';

/** No answer has more than 48 MB. */
const maxBytes = 64 * 1024 * 1024;
const opcodeAt = 12;
const compressedOpcode = 2012;

/** What of the driver puts messages together from what comes in. */
interface MessageTransform extends Transform {
  readonly bufferPool: { readonly length: number };
}

/**
 * The driver keeps what comes in until it has as much as the server says that there will be, which may be 2 GiB, and has no
 * setting for it. From here on a connection on which more is kept than any answer has is ended.
 */
export function limitReceivedBytes(): void {
  const driver: unknown = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
  const messages: unknown = Reflect.get(Object(driver), 'SizedMessageTransform');
  const prototype: unknown = Reflect.get(Object(messages), 'prototype');
  if (!isMessageTransform(prototype)) throw new Error('another version of the driver is installed');
  const { _transform: transform, push } = prototype;
  const limited: MessageTransform['_transform'] = function (
    this: MessageTransform,
    piece,
    encoding,
    done,
  ) {
    if (this.bufferPool.length > maxBytes) done(new MongoNetworkError('sent too much'));
    else transform.call(this, piece, encoding, done);
  };
  Reflect.set(prototype, '_transform', limited);
  // Nobody has offered to take any: a small one may become so large that it takes all memory.
  prototype.push = function (this: MessageTransform, message: unknown) {
    if (!isCompressed(message)) return push.call(this, message);
    this.destroy(new MongoNetworkError('sent too much'));
    return true;
  };
}

function isCompressed(message: unknown): boolean {
  const isWhole = message instanceof Uint8Array && message.length >= opcodeAt + 4;
  return (
    isWhole &&
    Buffer.from(message.buffer, message.byteOffset).readInt32LE(opcodeAt) === compressedOpcode
  );
}

function isMessageTransform(value: unknown): value is MessageTransform {
  return typeof Reflect.get(Object(value), '_transform') === 'function';
}
