import {
  defineTransformationCache,
  type TransformationCache,
  type TransformationCachePlugin,
} from '@trove/core/store';

/** A transformation cache in memory. The map keeps keys in order of last use. */
export class MemoryTransformationCache implements TransformationCache {
  readonly #values = new Map<string, Uint8Array>();

  async getMany(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const key of keys) {
      const value = this.#values.get(key);
      if (value === undefined) continue;
      found.set(key, value.slice());
      this.#use(key, value);
    }
    return found;
  }

  async putMany(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [key, value] of entries) this.#use(key, value.slice());
  }

  async prune(maxBytes: number): Promise<void> {
    let kept = [...this.#values.values()].reduce((sum, value) => sum + value.byteLength, 0);
    for (const [key, value] of this.#values) {
      if (kept <= maxBytes) return;
      this.#values.delete(key);
      kept -= value.byteLength;
    }
  }

  async close(): Promise<void> {}

  #use(key: string, value: Uint8Array): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }
}

const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

/** Returns a transformation cache plugin whose values live as long as the plugin. */
export function memoryTransformationCache(): TransformationCachePlugin<typeof configSchema> {
  const cache = new MemoryTransformationCache();
  return defineTransformationCache({ keys: ['memory'], configSchema, create: () => cache });
}
