import { TroveApiError, TroveClient } from '@trove/client';
import { CommandError, UsageError } from '@trove/commands';

import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { isLoopback, parseEndpoint } from '../session/endpoint.js';
import { readProfiles } from '../session/profile.js';
import {
  addProfile,
  removeProfile,
  setActive,
  withoutActive,
  writeProfiles,
} from '../session/profiles-file.js';
import { readSecret } from '../terminal/secret.js';

export const login = command({
  name: 'login',
  description: 'Store the address of a server and your token, and use them from now on',
  args: {
    url: {
      type: 'positional',
      required: false,
      description: 'The URL of the server. Default: the current one',
    },
    name: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Name of the profile. Default: the host of the URL',
    },
  },
  notes: [
    'Reads the token from the terminal without showing it, or from standard input. Stores it in client.toml, which only ' +
      'you can read. `trove logout` removes it.',
  ],
  examples: [
    { command: 'trove login https://trove.example.org', does: 'use the server of your team' },
    {
      command: 'trove login https://trove.example.org < token.txt',
      does: 'read the token from a file',
    },
  ],
  async run(args, cli) {
    const endpoint = parseEndpoint(args.text('url') ?? cli.endpoint);
    const name = args.text('name') ?? new URL(endpoint).host.replaceAll(/[^\w-]+/g, '-');
    if (!/^[\w-]{1,64}$/.test(name))
      throw new UsageError('--name must be 1 to 64 letters, digits, "-" or "_"');
    const token = await readSecret(`Token for ${cli.err.safeName(endpoint)}: `);
    if (token === '') throw new UsageError('the token is empty');
    await checkToken(endpoint, token);
    const { path, text, names } = readProfiles(cli.home);
    const others = names.includes(name) ? removeProfile(text, name) : text;
    writeProfiles(path, setActive(addProfile(others, name, { endpoint, token }), name));
    if (cli.json) return cli.printJson({ profile: name, endpoint });
    await cli.out.line(`Logged in to ${cli.out.safeName(endpoint)}, profile ${name}`);
    await warn(cli, endpoint);
  },
});

export const logout = command({
  name: 'logout',
  description: 'Remove the address and the token that `trove login` stored',
  args: {
    name: {
      type: 'positional',
      required: false,
      completes: 'profile',
      description: 'Name of the profile. Default: the active one',
    },
  },
  notes: ['The token itself stays valid until it is revoked: `trove token revoke NAME`.'],
  examples: [{ command: 'trove logout', does: 'remove the token of the active profile' }],
  async run(args, cli) {
    const { path, text, names, active } = readProfiles(cli.home);
    const name = args.text('name') ?? active;
    if (name === undefined)
      throw new UsageError('no profile is active, so name one', knownOf(names));
    if (!names.includes(name))
      throw new UsageError(`${path} has no profile "${name}"`, knownOf(names));
    const others = removeProfile(text, name);
    writeProfiles(path, name === active ? withoutActive(others) : others);
    if (cli.json) return cli.printJson({ profile: name });
    await cli.out.line(`Removed the profile ${name}`);
  },
});

function knownOf(names: readonly string[]): string[] {
  return [`Known: ${names.join(', ') || 'none'}.`];
}

/** Stores no token that the server does not accept. */
async function checkToken(endpoint: string, token: string): Promise<void> {
  const { server } = new TroveClient({ baseUrl: endpoint, token });
  try {
    await server.getServerInfo();
  } catch (error) {
    if (!(error instanceof TroveApiError) || error.code !== 'unauthorized') throw error;
    throw new CommandError('unauthorized', `${endpoint} rejected the token`, [
      'Ask for a token: trove token create --name NAME',
    ]);
  }
}

async function warn({ env, err }: Cli, endpoint: string): Promise<void> {
  for (const variable of ['TROVE_ENDPOINT', 'TROVE_API_TOKEN']) {
    if (env[variable]) await err.line(`note: ${variable} is set and takes precedence`);
  }
  if (endpoint.startsWith('http:') && !isLoopback(endpoint))
    await err.line('note: the connection is not encrypted, so others may read the token');
}
