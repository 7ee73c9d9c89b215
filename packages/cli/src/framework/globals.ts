import type { ArgumentDefs } from './definitions.js';

/** Options of every command. */
export const globalArgs = {
  json: {
    type: 'boolean',
    description: "Print the API's answer as JSON, and errors as JSON on stderr",
  },
  endpoint: {
    type: 'string',
    valueHint: 'URL',
    description: 'The server to talk to',
  },
  profile: {
    type: 'string',
    valueHint: 'NAME',
    completes: 'profile',
    description: 'A profile from client.toml, instead of the active one',
  },
  help: { type: 'boolean', alias: 'h', description: 'Show this help' },
} as const satisfies ArgumentDefs;

export type GlobalName = keyof typeof globalArgs;

const takesValue = new Set(['--endpoint', '--profile']);
const isFlag = new Set(['--json', '--help', '-h']);

/** Moves global options placed before the command behind it: `--json status` becomes `status --json`. */
export function hoistGlobals(argv: readonly string[]): string[] {
  const globals: string[] = [];
  let at = 0;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (isFlag.has(word) || takesValue.has(word.split('=')[0] ?? '')) globals.push(word);
    else break;
    const value = argv[at + 1];
    if (takesValue.has(word) && value !== undefined) {
      globals.push(value);
      at++;
    }
  }
  const rest = argv.slice(at);
  const end = rest.indexOf('--');
  return end === -1
    ? [...rest, ...globals]
    : [...rest.slice(0, end), ...globals, ...rest.slice(end)];
}
