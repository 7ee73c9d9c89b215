import type { Engine } from 'trove';

/** An engine of which only the given methods work: for what the host does by itself. */
export function stubEngine(methods: Partial<Engine> = {}): Engine {
  return new Proxy(methods as Engine, {
    get: (given, name): unknown =>
      Reflect.get(given, name) ??
      (() => Promise.reject(new Error(`unexpected call of ${String(name)}`))),
  });
}
