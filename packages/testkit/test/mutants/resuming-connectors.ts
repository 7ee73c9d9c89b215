import type { Mutation } from './connector-world.js';

/** For each case about checkpoints, a connector that begins again instead of continuing. */
export const resumingMutants: Readonly<Record<string, Mutation>> = {
  'resumes-a-listing': {
    connector: (good) => ({ list: ({ resume: _, ...request }) => good.list(request) }),
  },
  'resumes-records': {
    connector: (good) => ({
      async *records(path, { resume: _, ...options }) {
        yield* good.records?.(path, options) ?? [];
      },
    }),
  },
  'resumes-changes': {
    connector: (good) => ({
      async *changes({ resume: _, ...request }) {
        yield* good.changes?.(request) ?? [];
      },
    }),
  },
};
