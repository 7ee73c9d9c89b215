import { maxTokensParameter } from '../budget.js';

const text = { type: 'string', minLength: 1, pattern: '\\S' } as const;

/** Parameters of several tools. */
export const parameters = {
  path: { ...text, maxLength: 4000, description: 'Only this source, folder or object (URI).' },
  glob: { ...text, maxLength: 4000, description: 'Such as `src/**/*.ts,!*.test.ts`.' },
  cursor: {
    ...text,
    maxLength: 60_000,
    description: 'Continues: the same call with the `cursor` of its answer.',
  },
  max_tokens: maxTokensParameter,
} as const;

/** Parts of several answers. */
export const answerParts = {
  cursor: { type: 'string', description: 'More follows.' },
  notes: { type: 'array', items: { type: 'string' } },
} as const;

/** Texts of objects, or of parts of them. */
export const texts = {
  type: 'array',
  items: {
    type: 'object',
    properties: { uri: { type: 'string' }, text: { type: 'string' } },
    required: ['uri', 'text'],
  },
} as const;

/** Names that models use for `path`. */
export const pathAliases = {
  uri: 'path',
  folder: 'path',
  dir: 'path',
  directory: 'path',
  source: 'path',
  scope: 'path',
  root: 'path',
};

/** Names that models use for `limit`. */
export const limitAliases = {
  max_results: 'limit',
  num_results: 'limit',
  head_limit: 'limit',
  max: 'limit',
  count: 'limit',
  top_k: 'limit',
  k: 'limit',
  n: 'limit',
};

/** Names that models use for `glob`. */
export const globAliases = { include: 'glob', file_pattern: 'glob', file_glob: 'glob' };

export const nonEmptyText = text;

/** Returns the members that are not undefined. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> };
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
