import { parseUri } from '@trove/core';

import type { Scope } from './description/index.js';

/** Returns the scope of texts that need neither an item nor a run. */
export function rootScope(config: unknown, target: string): Scope {
  const { authority, path } = parseUri(target);
  const steps = path.split('/').filter((step) => step !== '');
  return {
    config,
    target: { authority, path: steps.join('/'), parts: [authority, ...steps] },
    item: undefined,
    parents: {},
    since: undefined,
    until: 0,
    values: {},
    lookup: () => Promise.resolve(undefined),
  };
}
