import { TroveError, type Plugin } from '@trove/core';

/** What a plugin's `create` returns. `ReturnType` would say `any`, as nothing can be passed for `never`. */
export type PluginInstance<P> = P extends { create(context: never): infer R } ? R : never;

/**
 * Calls a plugin's `create`. The configuration type is not known here; this is sound because the plugin's own schema
 * accepted it. Throws `plugin_invalid` for an object that `await` would mistake for a promise.
 */
export function createInstance<P extends Plugin>(plugin: P, context: object): PluginInstance<P> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const made: unknown = plugin.create(context as never);
  const isObject = typeof made === 'object' && made !== null;
  if (isObject && !(made instanceof Promise) && typeof Reflect.get(made, 'then') === 'function') {
    throw new TroveError(
      'plugin_invalid',
      `${plugin.kind} ${plugin.keys.join(', ')}: create must return an object or a Promise; this object has a \`then\` of its own`,
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return made as PluginInstance<P>;
}
