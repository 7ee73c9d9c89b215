import { group, UsageError } from '@trove/commands';

import { command } from '../session/command.js';
import { parseEndpoint } from '../session/endpoint.js';
import { type ClientProfile, readProfiles } from '../session/profile.js';
import { setActive, addProfile, writeProfiles } from '../session/profiles-file.js';
import { renderTable } from '../terminal/table.js';

const profileNameArgument = {
  type: 'positional',
  completes: 'profile',
  description: 'Its name',
} as const;

const list = command({
  name: 'list',
  description: 'List the profiles in client.toml. A star marks the active one',
  args: {},
  examples: [{ command: 'trove profile list', does: 'list the known servers' }],
  async run(_args, cli) {
    const { names, active, read, path } = readProfiles(cli.home);
    const profiles = names.map((name) => ({
      name,
      isActive: name === active,
      ...displayProfile(read(name)),
    }));
    if (cli.json) return cli.printJson(profiles);
    if (profiles.length === 0)
      return cli.err.line(`No profiles in ${path}: trove profile add NAME`);
    const rows = profiles.map(({ name, isActive, endpoint, token }) => [
      isActive ? '*' : '',
      cli.out.safeName(name),
      cli.out.safeName(endpoint),
      cli.out.safeName(token),
    ]);
    const columns = [{ title: '' }, { title: 'NAME' }, { title: 'ENDPOINT' }, { title: 'TOKEN' }];
    for (const line of renderTable(columns, rows)) await cli.out.line(line);
  },
});

const add = command({
  name: 'add',
  description: 'Add a profile (a server and its token) to client.toml',
  args: {
    name: { type: 'positional', description: 'Its name: letters, digits, `-` and `_`' },
    token: {
      type: 'string',
      valueHint: 'TOKEN',
      description: 'Its token, or `env:VAR` to read it from a variable each time',
    },
    use: { type: 'boolean', description: 'Make it the active profile' },
  },
  notes: [
    '`--endpoint` names the server. Only the owner can read client.toml. `env:VAR` keeps the token out of it and ' +
      'out of the shell history.',
  ],
  examples: [
    {
      command:
        'trove profile add work --endpoint https://trove.example.com --token env:WORK_TROVE_TOKEN',
      does: 'add another server',
    },
  ],
  async run(args, cli) {
    const name = args.required('name');
    if (!/^[\w-]{1,64}$/.test(name)) {
      throw new UsageError('NAME must be 1 to 64 letters, digits, "-" or "_"');
    }
    const endpoint = args.text('endpoint');
    if (endpoint === undefined) throw new UsageError('--endpoint is missing');
    const { path, text, names } = readProfiles(cli.home);
    if (names.includes(name)) {
      throw new UsageError(`the profile "${name}" already exists`, [`Change it in ${path}.`]);
    }
    const token = args.text('token');
    const added = addProfile(text, name, {
      endpoint: parseEndpoint(endpoint),
      ...(token === undefined ? {} : { token }),
    });
    const isUsed = args.flag('use');
    writeProfiles(path, isUsed ? setActive(added, name) : added);
    await cli.out.line(`Added ${name} to ${cli.out.safeName(path)}`);
    if (!isUsed) await cli.err.line(`Use it: trove profile use ${name}`);
  },
});

const use = command({
  name: 'use',
  description: 'Make a profile the active one',
  args: { name: profileNameArgument },
  examples: [{ command: 'trove profile use work', does: 'switch to another server' }],
  async run(args, cli) {
    const name = args.required('name');
    const { path, text, names } = readProfiles(cli.home);
    if (!names.includes(name)) {
      throw new UsageError(`${path} has no profile "${name}"`, [
        `Known: ${names.join(', ') || 'none'}.`,
      ]);
    }
    writeProfiles(path, setActive(text, name));
    await cli.out.line(`Using ${name}`);
    const stronger = cli.env['TROVE_ENDPOINT'];
    if (stronger)
      await cli.err.line(`note: TROVE_ENDPOINT is set and takes precedence: ${stronger}`);
  },
});

export const profile = group('profile', 'Manage the profiles of servers', [list, add, use]);

/** Hides the token, but shows a reference to a variable. */
function displayProfile({ endpoint = '', token }: ClientProfile): {
  endpoint: string;
  token: string;
} {
  if (token === undefined) return { endpoint, token: '' };
  return { endpoint, token: token.startsWith('env:') ? token : '***' };
}
