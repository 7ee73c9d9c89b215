interface LruEntry<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * The share that remains after an eviction. Evicting one entry at a time would make the map skip all deleted entries at
 * its front each time.
 */
const keptShare = 0.9;

/** An LRU cache with a maximum total weight. */
export class LruCache<V> {
  readonly #most: number;
  readonly #kept = new Map<string, LruEntry<V>>();
  #weight = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  set(key: string, value: V, weight: number): void {
    this.delete(key);
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    if (this.#weight <= this.#most) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most * keptShare) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }
}
