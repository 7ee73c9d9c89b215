import { createHmac, randomBytes } from 'node:crypto';

/** Returns a code as `trove console` creates it. `leftS`: the seconds until it expires. */
export function signInCode(token: string, leftS = 600): string {
  const until = Math.floor(Date.now() / 1000) + leftS;
  const code = `signin.${until}.${randomBytes(16).toString('base64url')}`;
  return `${code}.${createHmac('sha256', token).update(code).digest('base64url')}`;
}
