import type { Plugin } from '@trove/core';

/**
 * Calls a plugin's `create`. The configuration's type is not known here: that the plugin's own schema accepted it is
 * what makes this sound.
 */
export function create<P extends Plugin>(plugin: P, context: object): ReturnType<P['create']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return plugin.create(context as never) as ReturnType<P['create']>;
}
