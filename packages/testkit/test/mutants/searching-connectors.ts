import type { GrepItem, GrepRequest } from '@trove/core';

import type { Mutation } from './connector-world.js';
import { calm } from './connectors.js';

/** For each case about searching, a connector that fails only this case. */
export const searchingMutants: Readonly<Record<string, Mutation>> = {
  'grep-finds-lines': {
    connector: (good) => ({
      async *grep(request) {
        const { pattern, regex, ignoreCase } = request;
        const isPlain = pattern.length > 1 && !regex && !ignoreCase && request.path === '';
        let path: string | null = null;
        for await (const item of good.grep?.(request) ?? []) {
          if ('lines' in item) path ??= item.path;
          if (!isPlain || !('lines' in item) || item.path === path) yield item;
        }
      },
    }),
  },
  'grep-takes-texts-literally': searching((request) => {
    return request.pattern === '.*' ? { ...request, regex: true } : request;
  }),
  'grep-regular-expression': searching((request) => {
    return {
      ...request,
      pattern: request.regex ? request.pattern.replace('^', '') : request.pattern,
    };
  }),
  'grep-ignores-case': searching((request) => {
    return isShouted(request) ? request : { ...request, ignoreCase: false };
  }),
  'grep-keeps-to-a-path': searching((request) => {
    return isOfRecords(request) ? request : { ...request, path: '' };
  }),
  'grep-keeps-to-a-limit': searching((request) => {
    return request.limit === 2 ? { ...request, limit: 1000 } : request;
  }),
  'grep-keeps-to-patterns-of-paths': searching((request) => ({ ...request, globs: [] })),
  'grep-limits-each-object': searching((request) => ({ ...request, limitPerObject: 1000 })),
  'grep-goes-on': searching((request) => ({ ...request, after: null })),
  'grep-only-matching': searching((request) => ({ ...request, onlyMatching: false })),
  'grep-shows-context': searching((request) => ({ ...request, context: 0 })),
  'grep-can-be-aborted': searching((request) => ({ ...request, signal: calm() })),
  'grep-finds-records': finding((item, { ignoreCase, path }) => {
    return 'key' in item && !ignoreCase && path === '' ? null : item;
  }),
  'grep-takes-signs-literally': searching((request) => {
    const isWithSign = /^\w_\w*$/.test(request.pattern);
    if (!isWithSign) return request;
    return { ...request, pattern: request.pattern.replace('_', '.'), regex: true };
  }),
  'grep-ignores-case-of-records': searching((request) => {
    return isShouted(request) ? { ...request, ignoreCase: false } : request;
  }),
  'grep-keeps-to-an-object-of-records': searching((request) => {
    return isOfRecords(request) ? { ...request, path: '' } : request;
  }),
  'grep-limits-records': searching((request) => {
    return request.limit === 1 && request.after === null ? { ...request, limit: 1000 } : request;
  }),
  'grep-shows-records': finding((item) => ('key' in item ? { ...item, content: '' } : item)),
};

/** Whether the pattern is a word in capitals, as in the cases about records. */
function isShouted({ pattern }: GrepRequest): boolean {
  return /^[A-Z]{2,}$/.test(pattern);
}

function isOfRecords({ path }: GrepRequest): boolean {
  return path === 'tables/users' || path === 'chats/crew';
}

function searching(change: (request: GrepRequest) => GrepRequest): Mutation {
  return {
    connector: (good) => ({
      async *grep(request) {
        yield* good.grep?.(change(request)) ?? [];
      },
    }),
  };
}

/** Changes the found items. Null drops one. */
function finding(change: (item: GrepItem, request: GrepRequest) => GrepItem | null): Mutation {
  return {
    connector: (good) => ({
      async *grep(request) {
        for await (const item of good.grep?.(request) ?? []) {
          const changed = change(item, request);
          if (changed !== null) yield changed;
        }
      },
    }),
  };
}
