import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a bearer is a pass that is still good: `pass.UNTIL.MAC`, the second of Unix time when it ends and an HMAC of
 * that, whose key is the token. Who has the token makes passes for where a token must not stay, such as an address,
 * which browsers remember.
 */
export function isPass(given: string, token: string): boolean {
  const [, until, mac] = /^pass\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? [];
  if (until === undefined || mac === undefined) return false;
  const expected = createHmac('sha256', token).update(`pass.${until}`).digest();
  return (
    timingSafeEqual(Buffer.from(mac, 'base64url'), expected) && Number(until) * 1000 > Date.now()
  );
}
