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
  readonly #maxWeight: number;
  readonly #entries = new Map<string, LruEntry<V>>();
  #weight = 0;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  get(key: string): V | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  set(key: string, value: V, weight: number): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    if (this.#weight <= this.#maxWeight) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight * keptShare) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
