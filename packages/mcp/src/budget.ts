import { createHash } from 'node:crypto';
import { ToolError } from './tool-error.js';

/** Bytes of UTF-8 per token, at the low end: code has 3.2 to 4, and a Chinese character of 3 bytes is one token. */
const bytesPerToken = 3;
const defaultTokens = 8000;
const maxTokens = 20_000;

/** The parameter of every tool with a long answer. */
export const maxTokensParameter = {
  type: 'integer',
  minimum: 200,
  maximum: maxTokens,
  default: defaultTokens,
  description: 'Size of the answer.',
} as const;

/** The space that an answer has left. Items are added in order until one does not fit. */
export class AnswerBudget {
  /** For the frame of the answer: cursor and notes. */
  static readonly #reservedBytes = 300;
  #bytes: number;

  constructor(tokens: number) {
    this.#bytes = tokens * bytesPerToken - AnswerBudget.#reservedBytes;
  }

  /** The bytes of UTF-8 that are left, at least 0. */
  get bytesLeft(): number {
    return Math.max(0, this.#bytes);
  }

  /** Takes the space of an item as JSON, or returns false without taking any. */
  take(item: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }
}

const ellipsis = '…';

/** Cuts a text to this many bytes of UTF-8, at the end of a character. A cut text ends with `…`. */
export function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const room = Math.max(0, bytes - Buffer.byteLength(ellipsis));
  const cut = Buffer.from(text).subarray(0, room).toString();
  return `${cut.endsWith('\uFFFD') ? cut.slice(0, -1) : cut}${ellipsis}`;
}

/** Encodes a position in the answer to a call as a cursor. `call`: the arguments that determine the answer. */
export function encodeCursor(call: unknown, position: readonly (number | null)[]): string {
  return Buffer.from(JSON.stringify([digestOf(call), ...position])).toString('base64url');
}

/** Decodes a cursor. Throws `validation_error` for a text that `encodeCursor` did not return for this call. */
export function decodeCursor(cursor: string, call: unknown): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && value[0] === digestOf(call)) return value.slice(1);
  } catch {
    // The error below also covers texts that are not JSON.
  }
  throw invalidCursor();
}

function digestOf(call: unknown): string {
  return createHash('sha256').update(JSON.stringify(call)).digest('base64url').slice(0, 8);
}

export function invalidCursor(): ToolError {
  return new ToolError('validation_error', 'cursor: is not from an answer to this call', [
    'Repeat the call with the `cursor` of the previous answer, or without a cursor.',
  ]);
}
