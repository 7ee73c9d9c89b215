import { describeError, isTroveError, TroveError, type Health } from '@trove/core';

import { isRecord, textOf } from './json.js';
import { readPlace } from './limits.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';

const maxAgeMs = 60_000;

/** Proves the login of a source before its listings. */
export class LoginCheck {
  readonly #source: HttpSource;
  #provedAt = 0;

  constructor(source: HttpSource) {
    this.#source = source;
  }

  /**
   * Throws if the login does not work. Returns the time of the service, or the local time if it is earlier, in milliseconds
   * since 1970.
   */
  async assertWorks(run: Run): Promise<number> {
    const { start } = await this.#request(run);
    return start;
  }

  /** Throws if the login has stopped to work during a listing and the service would not have told. */
  async assertStillWorks(run: Run): Promise<void> {
    if (this.#source.description.check.again === true) await this.assertWorks(run);
  }

  /** Like `assertWorks`, unless the login has worked in the last minute. */
  async assertWorksLately(run: Run): Promise<void> {
    if (Date.now() - this.#provedAt >= maxAgeMs) await this.#request(run);
  }

  async health(run: Run): Promise<Health> {
    try {
      const { say } = await this.#request(run);
      return { ok: true, detail: say };
    } catch (error) {
      run.signal.throwIfAborted();
      if (!isTroveError(error)) return { ok: false, detail: describeError(error) };
      const { retryAfterMs } = error;
      return {
        ok: false,
        detail: describeError(error),
        code: error.code,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    }
  }

  async #request(run: Run): Promise<{ readonly start: number; readonly say: string }> {
    const { description, host } = this.#source;
    const { check } = description;
    const scope = this.#source.scope(run);
    const reply = await this.#source.send(check, scope, run);
    if ('none' in reply) throw new TroveError('connector_unhealthy', reply.say);
    const { answer } = reply;
    const missing = missingScopes(
      check.scopes?.needs ?? [],
      check.scopes === undefined ? '' : readPlace(answer, check.scopes.from),
    );
    if (missing.length > 0) {
      throw new TroveError(
        'connector_unhealthy',
        `The login lacks the scope ${missing.join(', ')}`,
        {
          suggestions: [
            'Create a token with this scope, or add it to the app and install it again.',
          ],
        },
      );
    }
    this.#provedAt = Date.now();
    const told =
      check.say === undefined ? undefined : textOf(await evaluate(check.say, answer.body, scope));
    const served = Date.parse(answer.headers.get('date') ?? '');
    return {
      start: Number.isNaN(served) ? run.start : Math.min(run.start, served),
      say: told ?? `The login at ${host} works.`,
    };
  }
}

function missingScopes(needs: readonly string[], granted: unknown): readonly string[] {
  const names = Array.isArray(granted)
    ? granted.flatMap((name) => textOf(name) ?? [])
    : isRecord(granted)
      ? Object.keys(granted)
      : (textOf(granted) ?? '').split(/[\s,]+/);
  return needs.filter((name) => !names.includes(name));
}
