import { createHmac, timingSafeEqual } from 'node:crypto';

const maxPassS = 24 * 60 * 60;

/**
 * Whether a bearer is a pass that is still good: `pass.UNTIL.MAC`, the second of Unix time when it ends, within a day, and an
 * HMAC of that, whose key is the token. Who has the token makes passes for where a token must not stay, such as an address,
 * which browsers remember. A pass only reads.
 */
export function isValidPass(given: string, token: string): boolean {
  const [, until, mac] = /^pass\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? [];
  if (until === undefined || mac === undefined) return false;
  const expected = createHmac('sha256', token).update(`pass.${until}`).digest();
  const leftS = Number(until) - Date.now() / 1000;
  const isMade = timingSafeEqual(Buffer.from(mac, 'base64url'), expected);
  return isMade && leftS > 0 && leftS <= maxPassS;
}
