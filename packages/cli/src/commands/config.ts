import { join } from 'node:path';

import { group } from '@trove/commands';

import { chooseEditor } from '../open/editor.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { renderTable } from '../terminal/table.js';

const show = command({
  name: 'show',
  description: 'Show the settings of this command and their origins. Secrets are hidden',
  args: {},
  notes: ['For the settings of the server, use `trove-server reload`.'],
  examples: [{ command: 'trove config show', does: 'show the server and the token in use' }],
  async run(_args, cli) {
    const settings = settingsOf(cli);
    if (cli.json) return cli.printJson(settings);
    const rows = settings.map(({ name, value, source }) => [
      name,
      cli.out.safeName(value ?? '-'),
      cli.out.safeName(source),
    ]);
    const columns = [{ title: 'SETTING' }, { title: 'VALUE' }, { title: 'FROM' }];
    for (const line of renderTable(columns, rows)) await cli.out.line(line);
  },
});

export const config = group('config', 'Show the settings of this command', [show]);

interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly source: string;
}

function missingTokenSource({ unsetVariable, otherTokenServer, profile }: Cli): string {
  if (otherTokenServer !== undefined)
    return `the token of ${profile} is only for ${otherTokenServer}: no header is sent`;
  const why = unsetVariable === undefined ? 'none' : `${unsetVariable}, which is not set`;
  return `${why}: no header is sent`;
}

function settingsOf(cli: Cli): Setting[] {
  const { env, home, profile, token } = cli;
  const editor = ['VISUAL', 'EDITOR'].find((name) => env[name]);
  const client = join(home, 'client.toml');
  const inClient = profile === undefined ? client : `${client} [profiles.${profile}]`;
  const from = (source: string): string => (source === 'client.toml' ? inClient : source);
  return [
    { name: 'home', value: home, source: env['TROVE_HOME'] ? 'TROVE_HOME' : 'the default' },
    {
      name: 'profile',
      value: profile ?? null,
      source: profile === undefined ? 'no active profile' : client,
    },
    { name: 'endpoint', value: cli.endpoint, source: from(cli.endpointSource) },
    {
      name: 'token',
      value: token === undefined ? null : '***',
      source: token === undefined ? missingTokenSource(cli) : from(token.source),
    },
    { name: 'editor', value: chooseEditor(env), source: editor ?? 'the default' },
  ];
}
