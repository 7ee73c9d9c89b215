import { createHash } from 'node:crypto';

/** The first 128 bits of SHA-256 over the parts, in hexadecimal. */
export function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}

export function connectorId(namespace: string, rootUri: string): string {
  return hash(namespace, rootUri);
}

export function objectId(connector: string, path: string): string {
  return hash(connector, path);
}

/** Returns a short id of a JSON value. Equal values have equal ids. */
export function digest(value: unknown): string {
  return hash(JSON.stringify(value) ?? '');
}
