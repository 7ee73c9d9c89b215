import { resolve } from 'node:path';

import { defaultEndpoint } from '../session/endpoint.js';
import type { Cli } from '../session/cli.js';
import type { AgentCommand } from './agents.js';

/** Variables that decide which server a command uses. Tokens stay out of the files of agents. */
const passedVariables = ['TROVE_HOME', 'TROVE_SERVER_CONFIG'];

/**
 * Returns the command that an agent runs: this program with absolute paths, because agents have another PATH. It uses the
 * endpoint and the home of this command line.
 */
export function agentCommand({ endpoint, profile, env, cwd }: Cli): AgentCommand {
  const [, script = 'trove'] = process.argv;
  const endpointArgs = endpoint === defaultEndpoint ? [] : ['--endpoint', endpoint];
  const profileArgs = profile === undefined ? [] : ['--profile', profile];
  const passed = passedVariables.flatMap((name) => {
    const value = env[name];
    return value ? [[name, resolve(cwd, value)] as const] : [];
  });
  return {
    command: process.execPath,
    args: [
      resolve(cwd, script),
      'mcp',
      ...profileArgs,
      ...(profile === undefined ? endpointArgs : []),
    ],
    env: Object.fromEntries(passed),
  };
}
