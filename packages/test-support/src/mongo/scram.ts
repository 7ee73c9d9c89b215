import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

import { Binary, type Document } from 'bson';

const rounds = 4096;

/** A login by SCRAM-SHA-256 on the server side. */
export class Scram {
  readonly #passwordOf: (user: string) => string | undefined;
  readonly #salt = randomBytes(16);
  #user = '';
  #first = '';
  #answered = '';

  constructor(passwordOf: (user: string) => string | undefined) {
    this.#passwordOf = passwordOf;
  }

  start({ payload }: Document): Document {
    this.#first = textOf(payload).replace(/^n,,/, '');
    const { n: user = '', r: nonce = '' } = partsOf(this.#first);
    this.#user = user.replaceAll('=2C', ',').replaceAll('=3D', '=');
    this.#answered = `r=${nonce}${randomBytes(18).toString('base64')},s=${this.#salt.toString('base64')},i=${rounds}`;
    return saslReply(this.#answered, false);
  }

  /** Returns null for a wrong password. */
  go({ payload }: Document): { readonly user: string; readonly answer: Document } | null {
    const last = textOf(payload);
    const proof = last.slice(last.lastIndexOf(',p=') + 3);
    const login = [this.#first, this.#answered, last.slice(0, last.lastIndexOf(',p='))].join(',');
    const password = this.#passwordOf(this.#user) ?? randomBytes(16).toString('hex');
    const salted = pbkdf2Sync(password, this.#salt, rounds, 32, 'sha256');
    const client = hmac(salted, 'Client Key');
    const signature = hmac(createHash('sha256').update(client).digest(), login);
    const expected = client.map((byte, at) => byte ^ (signature[at] ?? 0));
    const given = Buffer.from(proof, 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const server = hmac(hmac(salted, 'Server Key'), login).toString('base64');
    return { user: this.#user, answer: saslReply(`v=${server}`, true) };
  }
}

function saslReply(text: string, done: boolean): Document {
  return { conversationId: 1, done, payload: new Binary(Buffer.from(text)), ok: 1 };
}

function textOf(payload: unknown): string {
  return payload instanceof Binary ? Buffer.from(payload.value()).toString() : '';
}

function partsOf(text: string): Partial<Record<string, string>> {
  return Object.fromEntries(text.split(',').map((part) => [part[0], part.slice(2)]));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
