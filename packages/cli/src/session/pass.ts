import { createHmac } from 'node:crypto';

const LIFETIME_S = 3600;

/** What stands for a token for an hour, where the token itself must not stay; the server knows it by the token. */
export function passFor(token: string): string {
  const pass = `pass.${Math.floor(Date.now() / 1000) + LIFETIME_S}`;
  return `${pass}.${createHmac('sha256', token).update(pass).digest('base64url')}`;
}
