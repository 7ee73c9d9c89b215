import type { Mutation } from './connector-world.js';

/**
 * For each case about checkpoints, a connector that begins again instead of continuing. One connector changes the checkpoint
 * that it has yielded.
 */
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
  'keeps-checkpoints': {
    connector: (good) => ({
      async *list({ resume, ...request }) {
        const { inner } = Object(resume);
        const position: { inner?: unknown } = {};
        for await (const item of good.list({ ...request, resume: inner }))
          if ('checkpoint' in item) {
            position.inner = item.checkpoint;
            yield { checkpoint: position };
          } else yield item;
      },
    }),
  },
};
