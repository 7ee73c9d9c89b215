import { createHmac } from 'node:crypto';

const lifetimeSeconds = 3600;

/** Creates a pass that replaces the token in URLs for an hour. The server verifies it with the token. */
export function createPass(token: string): string {
  const pass = `pass.${Math.floor(Date.now() / 1000) + lifetimeSeconds}`;
  return `${pass}.${createHmac('sha256', token).update(pass).digest('base64url')}`;
}
