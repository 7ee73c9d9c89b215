import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const idBytes = 6;
const secretBytes = 32;

/** The parts of a token: `trove_ID_SECRET`. */
interface TokenParts {
  readonly id: string;
  readonly secret: string;
}

/** Creates the parts of a new token. */
export function newTokenParts(): TokenParts {
  return {
    id: randomBytes(idBytes).toString('hex'),
    secret: randomBytes(secretBytes).toString('base64url'),
  };
}

export function formatToken({ id, secret }: TokenParts): string {
  return `trove_${id}_${secret}`;
}

/** Returns null for a text that is not a token. */
export function parseToken(text: string): TokenParts | null {
  const [, id, secret] = /^trove_([0-9a-f]{12})_([\w-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/** A fast hash suffices, because secrets are random. */
export function hashOf({ secret }: TokenParts): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares in constant time. */
export function hasHash(parts: TokenParts, hash: string): boolean {
  const [expected, given] = [Buffer.from(hash), Buffer.from(hashOf(parts))];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
