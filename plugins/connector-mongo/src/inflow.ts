import { createRequire } from 'node:module';
import type { Transform, TransformCallback } from 'node:stream';

import { MongoNetworkError } from 'mongodb';

/** No answer has more than 48 MB. */
const mostBytes = 64 * 1024 * 1024;

/** What of the driver puts messages together from what comes in. */
interface Messages extends Transform {
  readonly bufferPool: { readonly length: number };
}

/**
 * The driver keeps what comes in until it has as much as the server says that there will be, which may be 2 GiB, and has no
 * setting for it. From here on a connection on which more is kept than any answer has is ended.
 */
export function limitInflow(): void {
  const driver: unknown = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
  const messages: unknown = Reflect.get(Object(driver), 'SizedMessageTransform');
  const prototype: unknown = Reflect.get(Object(messages), 'prototype');
  if (!isMessages(prototype)) throw new Error('another version of the driver is installed');
  const { _transform: transform } = prototype;
  prototype._transform = function (this: Messages, piece, encoding, done: TransformCallback) {
    if (this.bufferPool.length > mostBytes) done(new MongoNetworkError('sent too much'));
    else transform.call(this, piece, encoding, done);
  };
}

function isMessages(value: unknown): value is Messages {
  return typeof Reflect.get(Object(value), '_transform') === 'function';
}
