import { createHmac, timingSafeEqual } from 'node:crypto';

const maxPassS = 24 * 60 * 60;

/**
 * Whether a bearer token is a valid pass: `pass.UNTIL.MAC`. UNTIL is a Unix time in seconds, at most a day
 * ahead. MAC is the HMAC of `pass.UNTIL` with the token as its key. A holder of the token makes passes for
 * places where the token must not be stored, such as URLs. A pass only permits reading.
 */
export function isValidPass(given: string, token: string): boolean {
  const [, until, mac] = /^pass\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? [];
  if (until === undefined || mac === undefined) return false;
  const expected = createHmac('sha256', token).update(`pass.${until}`).digest();
  const leftS = Number(until) - Date.now() / 1000;
  const isAuthentic = timingSafeEqual(Buffer.from(mac, 'base64url'), expected);
  return isAuthentic && leftS > 0 && leftS <= maxPassS;
}
