import type { LsEntry } from '@trove/client';

import { displayUri, type DisplayContext } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { formatSize } from '../terminal/numbers.js';

export const ls = command({
  name: 'ls',
  description: 'List a folder of a source, or without PATH the sources',
  args: {
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'A local path or a URI',
    },
    long: {
      type: 'boolean',
      alias: 'l',
      description: 'Also print sizes and reasons in a pipe',
    },
  },
  notes: [
    'On a terminal or with -l, each entry has its size and, unless it is fully indexed, the reason. Otherwise there ' +
      'is one name per line. Folders end in a slash.',
  ],
  examples: [
    { command: 'trove ls', does: 'list the sources' },
    { command: 'trove ls ./docs', does: 'list a folder' },
    { command: 'trove ls . --json', does: 'print all data of each entry' },
  ],
  async run(args, cli) {
    const path = args.text('path');
    if (path === undefined) return listSources(cli);
    const response = await cli.client.browse.ls({
      path: toTarget(path, cli.cwd, cli.uploadedFolders),
    });
    if (cli.json) return cli.printJson(response);
    const isLong = cli.out.isTerminal || args.flag('long');
    for (const entry of response.entries) await printEntry(cli, entry, isLong);
  },
});

async function listSources(cli: Cli): Promise<void> {
  const status = await cli.client.server.status();
  if (cli.json) return cli.printJson(status);
  for (const { root_uri } of status.connectors) {
    await cli.out.line(cli.out.safeName(displayUri(root_uri, cli)));
  }
  if (status.connectors.length === 0) await cli.err.line('No sources yet: trove add PATH');
}

async function printEntry(cli: Cli, entry: LsEntry, isLong: boolean): Promise<void> {
  const { out } = cli;
  const name = out.safeName(entryName(entry, cli));
  if (!isLong) return out.line(name);
  const size = entry.size_hint === null ? '' : formatSize(entry.size_hint);
  const shown = entry.type === 'dir' ? out.style.cyan(name) : name;
  await out.line(`${size.padStart(8)}  ${shown}${out.style.dim(out.safeName(indexRemark(entry)))}`);
}

/** Returns a name that opens the entry when appended to its folder. Folders end in a slash. */
export function entryName(
  { name, path, type }: Pick<LsEntry, 'name' | 'path' | 'type'>,
  place: DisplayContext,
): string {
  const isInUri = path !== null && displayUri(path, place) === path;
  const shown = isInUri ? name.replaceAll('%', '%25') : name;
  return type === 'dir' ? `${shown}/` : shown;
}

/** Returns the status and the reason of an entry that is not fully indexed, or an empty text. */
export function indexRemark({ search_status, reason }: LsEntry): string {
  if (reason === null && (search_status === null || search_status === 'indexed')) return '';
  return `  ${[search_status ?? 'not_indexed', reason].filter((part) => part !== null).join(': ')}`;
}
