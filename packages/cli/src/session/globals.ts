import type { ArgumentDefs } from '@trove/commands';

/** Kinds of values that a shell can complete, besides local files. */
export type CompletionKind = 'object' | 'source' | 'profile' | 'job';

/** Options of every command. */
export const globalArgs = {
  json: {
    type: 'boolean',
    description: "Print the API's answer as JSON, and errors as JSON on stderr",
  },
  endpoint: {
    type: 'string',
    valueHint: 'URL',
    description: 'The URL of the server',
  },
  profile: {
    type: 'string',
    valueHint: 'NAME',
    completes: 'profile',
    description: 'A profile from client.toml instead of the active one',
  },
  help: { type: 'boolean', alias: 'h', description: 'Show this help' },
} as const satisfies ArgumentDefs<CompletionKind>;

export type GlobalName = keyof typeof globalArgs;
