import type { Trove } from 'trove';

/** The status without sources. */
export const emptyStatus = {
  connectors: [],
  jobs: {},
  embedding: { name: 'lexical/v2/512', switch: null },
  disk: { metadata: 0, index: 0, transformation_cache: 0, artifact_cache: 0, uploads: 0 },
  disk_space: [],
};

/** An engine with only the given methods, for tests of the host. */
export function stubEngine(methods: Partial<Trove> = {}): Trove {
  const engine: Trove = new Proxy(methods as Trove, {
    get: (given, name): unknown =>
      Reflect.get(given, name) ?? defaults.get(name) ?? unexpected(name),
  });
  const defaults = new Map<string | symbol, unknown>([
    ['restrictTo', () => engine],
    ['authenticate', () => Promise.resolve(null)],
  ]);
  return engine;
}

function unexpected(name: string | symbol): () => Promise<never> {
  return () => Promise.reject(new Error(`unexpected call of ${String(name)}`));
}
