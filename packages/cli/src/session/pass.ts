import { createHmac } from 'node:crypto';

const lifetimeSeconds = 3600;

/** What stands for a token for an hour, where the token itself must not stay; the server knows it by the token. */
export function createPass(token: string): string {
  const pass = `pass.${Math.floor(Date.now() / 1000) + lifetimeSeconds}`;
  return `${pass}.${createHmac('sha256', token).update(pass).digest('base64url')}`;
}
