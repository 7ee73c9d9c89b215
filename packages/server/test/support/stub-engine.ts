import type { Trove } from 'trove';

/** An engine of which only the given methods work: for what the host does by itself. */
export function stubEngine(methods: Partial<Trove> = {}): Trove {
  return new Proxy(methods as Trove, {
    get: (given, name): unknown =>
      Reflect.get(given, name) ??
      (() => Promise.reject(new Error(`unexpected call of ${String(name)}`))),
  });
}
