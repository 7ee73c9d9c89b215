import type { StoredToken, TokenCatalog } from '@trove/core/store';

/** A token that another process revokes stays valid this long. */
const maxAgeMs = 2000;
/** Callers may send any number of invented ids. */
const maxCached = 10_000;

interface CachedToken {
  readonly record: Promise<StoredToken | null>;
  readonly at: number;
}

/** The tokens that callers have sent recently. */
export class CachedTokens {
  readonly #tokens: Pick<TokenCatalog, 'get'>;
  readonly #cached = new Map<string, CachedToken>();
  /** When this process last recorded the use of a token. */
  readonly #recordedAt = new Map<string, number>();

  constructor(tokens: Pick<TokenCatalog, 'get'>) {
    this.#tokens = tokens;
  }

  /** Returns a token that has not ended. Only the clock of the store decides, because it also set the end. */
  async get(id: string): Promise<StoredToken | null> {
    const { record, at } = this.#read(id);
    const found = await record;
    const remainingMs = found?.remainingMs ?? Infinity;
    return performance.now() - at < remainingMs ? found : null;
  }

  #read(id: string): CachedToken {
    const now = performance.now();
    const known = this.#cached.get(id);
    if (known !== undefined && now - known.at < maxAgeMs) return known;
    if (this.#cached.size >= maxCached) this.#cached.clear();
    const record = this.#tokens.get(id);
    const cached = { record, at: now };
    this.#cached.set(id, cached);
    // A failure must not count for the next request.
    record.catch(() => {
      if (this.#cached.get(id) === cached) this.#cached.delete(id);
    });
    return cached;
  }

  clear(): void {
    this.#cached.clear();
  }

  /** Whether the use of a token should be recorded now. Returns true once per interval. */
  isUseDue(id: string, lastUsedAt: number | null, intervalMs: number): boolean {
    const now = Date.now();
    const last = Math.max(lastUsedAt ?? 0, this.#recordedAt.get(id) ?? 0);
    if (now - last < intervalMs) return false;
    if (this.#recordedAt.size >= maxCached) this.#recordedAt.clear();
    this.#recordedAt.set(id, now);
    return true;
  }
}
