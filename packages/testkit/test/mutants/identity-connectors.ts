import type { Connector } from '@trove/core';

import type { Mutation } from './connector-world.js';

/** For each case about identities, a connector that resolves an identity to another object. */
export const identityMutants: Readonly<Record<string, Mutation>> = {
  'reads-with-the-identity': identified((good) => ({
    read: (path, options) => {
      if (good.read === undefined) throw new TypeError('The connector has no `read`.');
      return good.read(resolve(path, options, 'README.md'), options);
    },
  })),
  'records-with-the-identity': identified((good) => ({
    async *records(path, options) {
      yield* good.records?.(resolve(path, options, 'tables/users'), options) ?? [];
    },
  })),
  'stat-with-the-identity': identified((good) => ({
    stat: async (path, options) =>
      (await good.stat?.(resolve(path, options, 'README.md'), options)) ?? null,
  })),
  'grep-with-the-identity': identified((good) => ({
    async *grep(request) {
      yield* good.grep?.({ ...request, path: resolve(request.path, request, 'README.md') }) ?? [];
    },
  })),
};

function identified(connector: (good: Connector) => Partial<Connector>): Mutation {
  return { connector };
}

/** Returns the path of another object if an identity is given. */
function resolve(
  path: string,
  { identity }: { readonly identity?: string },
  other: string,
): string {
  return identity === undefined ? path : other;
}
