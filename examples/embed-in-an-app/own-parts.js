// The same app with its own embedder, cache and clock: node own-parts.js FOLDER "QUESTION" [HOME]
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTrove } from 'trove';
import { ClockToken, EmbedderToken, provide, TransformationCacheToken } from 'trove/di';

const [folder = '.', question = 'how do I start?', home] = process.argv.slice(2);

/**
 * Turns a text into the frequencies of its letter triples, so similar texts have similar vectors. Replace the
 * body of `vectorOf` by a call to your own model.
 * @type {import('@trove/core/model').Embedder}
 */
const triples = {
  model: 'letter-triples-1',
  dimension: 256,
  nature: 'semantic',
  embed: async (texts) => texts.map(vectorOf),
};

/** @param {string} text */
function vectorOf(text) {
  const vector = new Float32Array(triples.dimension);
  const letters = ` ${text.toLowerCase().replaceAll(/\s+/g, ' ')} `;
  for (let at = 0; at + 3 <= letters.length; at++) {
    const hash = createHash('md5')
      .update(letters.slice(at, at + 3))
      .digest();
    const place = hash.readUInt8(0);
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((count) => count / length);
}

/**
 * Keeps vectors in memory, up to the limit that `prune` receives. The engine consults it before each call of
 * the embedder.
 * @implements {import('@trove/core/store').TransformationCache}
 */
class MemoryCache {
  /** @type {Map<string, Uint8Array>} The least recently used entry comes first. */
  #entries = new Map();

  get count() {
    return this.#entries.size;
  }

  /** @param {readonly string[]} keys */
  async getMany(keys) {
    /** @type {Map<string, Uint8Array>} */
    const found = new Map();
    for (const key of keys) {
      const value = this.#entries.get(key);
      if (value === undefined) continue;
      this.#entries.delete(key);
      this.#entries.set(key, value);
      found.set(key, value);
    }
    return found;
  }

  /** @param {ReadonlyMap<string, Uint8Array>} entries */
  async putMany(entries) {
    // The engine may reuse the memory of the value, so copy it.
    for (const [key, value] of entries) this.#entries.set(key, Uint8Array.from(value));
  }

  /** @param {number} maxBytes */
  async prune(maxBytes) {
    let bytes = [...this.#entries.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const [key, { byteLength }] of this.#entries) {
      if (bytes <= maxBytes) return;
      this.#entries.delete(key);
      bytes -= byteLength;
    }
  }

  async close() {
    this.#entries.clear();
  }
}

/**
 * Counts time from the start of the app.
 * @type {import('trove/di').Clock}
 */
const sinceStart = { now: () => process.uptime() * 1000, wait: (ms) => sleep(ms) };

const cache = new MemoryCache();
const trove = await createTrove({
  ...(home === undefined ? {} : { home }),
  override: [
    provide(EmbedderToken, { useValue: triples }),
    provide(TransformationCacheToken, { useValue: cache }),
    provide(ClockToken, { useValue: sinceStart }),
  ],
});
try {
  await trove.add({ target: folder, process: true });
  const { results } = await trove.search({ q: question, path: folder, mode: 'semantic', top_k: 5 });
  for (const { source, score } of results) console.log(`${score?.toFixed(2)}  ${source}`);
  console.log(`${cache.count} vectors are in the cache`);
} finally {
  await trove.close();
}
