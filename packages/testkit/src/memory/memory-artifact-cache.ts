import type { ArtifactCache } from '@trove/core/store';

/** An artifact cache in memory. The map keeps keys in order of last use. */
export class MemoryArtifactCache implements ArtifactCache {
  readonly #values = new Map<string, Uint8Array>();

  async get(key: string): Promise<Uint8Array | null> {
    const value = this.#values.get(key);
    if (value === undefined) return null;
    this.#use(key, value);
    return value.slice();
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    this.#use(key, value.slice());
  }

  async prune(maxBytes: number): Promise<void> {
    let kept = [...this.#values.values()].reduce((sum, value) => sum + value.byteLength, 0);
    for (const [key, value] of this.#values) {
      if (kept <= maxBytes) return;
      this.#values.delete(key);
      kept -= value.byteLength;
    }
  }

  #use(key: string, value: Uint8Array): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }
}
