import { createHmac, timingSafeEqual } from 'node:crypto';

const maxLifetimeS = 10 * 60;

/**
 * Checks the codes in links that sign in to the console: `signin.UNTIL.NONCE.MAC`. UNTIL is a Unix time in seconds. MAC is
 * the HMAC of the rest with the token as its key, so only a holder of the token makes codes. Each code is valid once. Codes are
 * made ten minutes before UNTIL. Those from before the start of the server are invalid, because an earlier process may have
 * redeemed them.
 */
export class SignInCodes {
  readonly #token: string;
  /** Codes have whole seconds. */
  readonly #startS = Math.floor(Date.now() / 1000);
  /** The redeemed codes with the ends of their validity. */
  readonly #used = new Map<string, number>();

  constructor(token: string) {
    this.#token = token;
  }

  /** Returns whether a code is valid, and makes it invalid. */
  redeem(code: string): boolean {
    const [, content, until, mac] =
      /^(signin\.(\d{1,12})\.[\w-]{22})\.([\w-]{43})$/.exec(code) ?? [];
    if (content === undefined || until === undefined || mac === undefined) return false;
    const expected = createHmac('sha256', this.#token).update(content).digest();
    if (!timingSafeEqual(Buffer.from(mac, 'base64url'), expected)) return false;
    const now = Date.now() / 1000;
    const leftS = Number(until) - now;
    if (leftS <= 0 || leftS > maxLifetimeS || this.#used.has(content)) return false;
    if (Number(until) - maxLifetimeS < this.#startS) return false;
    for (const [used, end] of this.#used) if (end <= now) this.#used.delete(used);
    this.#used.set(content, Number(until));
    return true;
  }
}
