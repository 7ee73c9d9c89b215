import { TroveError, type Plugin } from '@trove/core';

/**
 * The return type of a plugin's `create`. `ReturnType` would be `any`, because no argument has the type
 * `never`.
 */
export type PluginInstance<P> = P extends { create(context: never): infer R } ? R : never;

/**
 * Calls a plugin's `create`. The argument is not type-checked, because the plugin's own schema validated its
 * configuration. Throws `plugin_invalid` for a thenable that is not a Promise.
 */
export function createInstance<P extends Plugin>(plugin: P, context: object): PluginInstance<P> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const made: unknown = plugin.create(context as never);
  const isObject = typeof made === 'object' && made !== null;
  if (isObject && !(made instanceof Promise) && typeof Reflect.get(made, 'then') === 'function') {
    throw new TroveError(
      'plugin_invalid',
      `${plugin.kind} ${plugin.keys.join(', ')}: create must return an object or a Promise; this object has a \`then\` member`,
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return made as PluginInstance<P>;
}
