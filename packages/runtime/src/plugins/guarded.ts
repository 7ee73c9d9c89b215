import { abortController } from '../abort.js';
import type { Guard } from './guard.js';

const never = abortController().signal;

/**
 * An object whose every method goes through the guard: for stores and indexes, which must still answer while the engine
 * closes. All methods of `T` must return promises.
 */
export function guarded<T extends object>(guard: Guard<T>, limitMs: number): T {
  const methods = new Map<PropertyKey, (...args: unknown[]) => Promise<unknown>>();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the proxy answers for every method of T
  return new Proxy({} as T, {
    get(_, name) {
      // `await` looks for `then`, and this object is not a promise.
      if (name === 'then') return undefined;
      let method = methods.get(name);
      if (method === undefined) {
        method = (...args) =>
          guard.call(String(name), limitMs, never, (instance) => {
            const own: unknown = Reflect.get(instance, name);
            if (typeof own !== 'function') throw new TypeError(`${String(name)} is not a method`);
            return Promise.resolve(Reflect.apply(own, instance, args));
          });
        methods.set(name, method);
      }
      return method;
    },
  });
}
