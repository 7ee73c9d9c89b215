import { TroveError } from '@trove/core';
import type { Mutants } from './support.js';

export const tokenMutants: Mutants = {
  'token-stored': (good) => ({
    // Treats a token without paths as one without limits.
    tokens: {
      create: ({ paths, ...token }) =>
        good.tokens.create({ ...token, paths: paths?.length === 0 ? null : paths }),
    },
  }),
  'tokens-in-order': (good) => ({
    tokens: {
      list: async () =>
        (await good.tokens.list()).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    },
  }),
  'token-name-unique': (good) => ({
    tokens: {
      create: (token) =>
        good.tokens.create(token).catch(() => {
          throw new TroveError('validation_error', 'The name is taken');
        }),
    },
  }),
  'token-name-free-after-end': (good) => ({
    // Deletes nothing.
    tokens: {
      revoke: async (name) => {
        const all = await good.tokens.list();
        return all.filter((token) => token.name === name).map(({ id }) => id);
      },
    },
  }),
  'token-rotated': (good) => ({
    tokens: { rotate: (name, replacement) => good.tokens.rotate(name, replacement, 0) },
  }),
  'token-not-rotated': (good) => ({
    // Always keeps the former token for a moment.
    tokens: {
      rotate: (name, replacement, overlapMs) =>
        good.tokens.rotate(name, replacement, Math.max(overlapMs, 1000)),
    },
  }),
  'token-use-recorded': () => ({ tokens: { recordUse: async () => undefined } }),
  'tokens-of-a-namespace': (_good, database) => ({
    tokens: {
      revoke: async (name) => {
        const deleted = await database.query('select id from trove_tokens where name = ?', name);
        await database.query('delete from trove_tokens where name = ?', name);
        return deleted.slice(0, 1).map(({ id }) => String(id));
      },
    },
  }),
};
