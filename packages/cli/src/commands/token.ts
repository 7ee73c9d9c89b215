import type { CreatedToken, TokenInfo } from '@trove/client';
import { group, UsageError } from '@trove/commands';

import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatAge } from '../terminal/numbers.js';
import { renderTable } from '../terminal/table.js';
import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import { parseDuration } from '../terminal/duration.js';

const nameArgument = { type: 'positional', description: 'Name of the token' } as const;
const rightsLevels = ['read', 'sync', 'admin'] as const;

const create = command({
  name: 'create',
  description: 'Create a token, and print it once',
  args: {
    name: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Name of the token: letters, digits, `.`, `_`, `@` and `-`',
    },
    rights: {
      type: 'string',
      valueHint: rightsLevels.join('|'),
      description:
        'read (default) searches and reads, sync also syncs registered sources, admin may do everything',
    },
    path: {
      type: 'string',
      valueHint: 'PATH',
      repeats: true,
      completes: 'source',
      parameter: 'paths',
      description:
        'A source, folder or object. The token sees only these and everything below them. Repeat it for several. Default: all',
    },
    expires: {
      type: 'string',
      valueHint: 'TIME',
      parameter: 'expires_in_s',
      description: 'When the token ends, such as 12h or 90d. Default: never',
    },
  },
  notes: ['The server stores only a hash of the token, so it cannot be shown again.'],
  examples: [
    {
      command: 'trove token create --name ci --rights sync --expires 90d',
      does: 'create a token for a program that syncs sources',
    },
    {
      command: 'trove token create --name ada --path ~/handbook --path file://laptop/notes',
      does: 'create a token that reads two folders',
    },
  ],
  async run(args, cli) {
    const name = args.text('name');
    if (name === undefined) throw new UsageError('--name is missing');
    const expires = args.text('expires');
    const paths = args.texts('path').map((path) => toTarget(path, cli.cwd, cli.uploadedFolders));
    const created = await cli.client.access.createToken({
      body: {
        name,
        rights: args.oneOf('rights', rightsLevels),
        ...(paths.length === 0 ? {} : { paths }),
        ...(expires === undefined ? {} : { expires_in_s: parseDuration('--expires', expires) }),
      },
    });
    await printCreated(cli, created);
  },
});

const list = command({
  name: 'list',
  description: 'List tokens. The token of the server is not among them',
  args: {},
  examples: [{ command: 'trove token list', does: 'show who has access' }],
  async run(_args, cli) {
    const answer = await cli.client.access.listTokens();
    if (cli.json) return cli.printJson(answer);
    if (answer.tokens.length === 0)
      return cli.err.line('No tokens: trove token create --name NAME');
    const rows = answer.tokens.map((token) => [
      cli.out.safeName(token.name),
      token.rights,
      formatAge(token.created_at),
      token.last_used_at === null ? 'never' : formatAge(token.last_used_at),
      formatEnd(token),
      cli.out.safeName(token.paths?.map((uri) => displayUri(uri, cli)).join(', ') ?? 'all'),
    ]);
    const columns = ['NAME', 'RIGHTS', 'CREATED', 'USED', 'ENDS'].map((title) => ({ title }));
    const all = [...columns, { title: 'PATHS', narrow: 'shortened' } as const];
    const width = cli.out.isTerminal ? cli.out.columns : undefined;
    for (const line of renderTable(all, rows, width)) await cli.out.line(line);
  },
});

const rotate = command({
  name: 'rotate',
  description: 'Replace a token by one with the same rights, and print it once',
  args: {
    name: nameArgument,
    overlap: {
      type: 'string',
      valueHint: 'TIME',
      parameter: 'overlap_s',
      description: 'Time for which the replaced token stays valid, such as 24h. Default: none',
    },
  },
  examples: [
    {
      command: 'trove token rotate ci --overlap 24h',
      does: 'replace a token within a day',
    },
  ],
  async run(args, cli) {
    const overlap = args.text('overlap');
    const created = await cli.client.access.rotateToken({
      name: args.required('name'),
      body: overlap === undefined ? {} : { overlap_s: parseDuration('--overlap', overlap) },
    });
    await printCreated(cli, created);
  },
});

const revoke = command({
  name: 'revoke',
  description: 'End a token and the tokens that it replaced',
  args: { name: nameArgument },
  notes: ['Other servers of the same database accept the token for up to two seconds.'],
  examples: [{ command: 'trove token revoke ci', does: 'end a token' }],
  async run(args, cli) {
    const answer = await cli.client.access.revokeToken({ name: args.required('name') });
    if (cli.json) return cli.printJson(answer);
    await cli.out.line(`Revoked ${cli.out.safeName(answer.name)}`);
  },
});

export const token = group('token', 'Create, list, rotate and revoke tokens', [
  create,
  list,
  rotate,
  revoke,
]);

/** Prints only the token to stdout, because shells capture it. */
async function printCreated(cli: Cli, created: CreatedToken): Promise<void> {
  if (cli.json) return cli.printJson(created);
  const { name, rights } = created;
  await cli.err.line(
    `Token ${cli.err.safeName(name)} (${rights}), ends: ${formatEnd(created)}. It is not shown again.`,
  );
  await cli.out.line(created.token);
}

function formatEnd({ ends_at: end, is_replaced: isReplaced }: TokenInfo): string {
  if (end === null) return 'never';
  const state = Date.parse(end) <= Date.now() ? ' (ended)' : isReplaced ? ' (replaced)' : '';
  return `${end.slice(0, 16).replace('T', ' ')}${state}`;
}
