import { createRequire } from 'node:module';
import type { Transform } from 'node:stream';

import { MongoNetworkError } from 'mongodb';

/** Valid answers have at most 48 MB. */
const maxBytes = 64 * 1024 * 1024;
const opcodeAt = 12;
const compressedOpcode = 2012;

/** The class of the driver that assembles messages from chunks. */
interface MessageTransform extends Transform {
  readonly bufferPool: { readonly length: number };
}

/**
 * Patches the driver to end a connection that buffers more than any valid answer. The driver has no setting for this, and
 * trusts the length that the server announces, up to 2 GiB.
 */
export function limitReceivedBytes(): void {
  const driver: unknown = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
  const transformClass: unknown = Reflect.get(Object(driver), 'SizedMessageTransform');
  const prototype: unknown = Reflect.get(Object(transformClass), 'prototype');
  if (!isMessageTransform(prototype))
    throw new Error('The installed version of the MongoDB driver is not supported.');
  const { _transform: originalTransform, push: originalPush } = prototype;
  const limitedTransform: MessageTransform['_transform'] = function (
    this: MessageTransform,
    chunk,
    encoding,
    done,
  ) {
    if (this.bufferPool.length > maxBytes) done(new MongoNetworkError('sent too much'));
    else originalTransform.call(this, chunk, encoding, done);
  };
  Reflect.set(prototype, '_transform', limitedTransform);
  // The client never requested compression, and a small message may decompress to any size.
  prototype.push = function (this: MessageTransform, message: unknown) {
    if (!isCompressed(message)) return originalPush.call(this, message);
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
