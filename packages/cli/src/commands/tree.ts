import type { LsEntry } from '@trove/client';

import { displayUri } from '../paths/display.js';
import { toTarget } from '../paths/target.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { entryName, indexRemark } from './ls.js';

const defaultDepth = 3;

/** An entry with its children. `loop` marks a folder that contains itself through a link. */
interface TreeNode extends LsEntry {
  readonly entries?: readonly TreeNode[];
  readonly loop?: true;
}

export const tree = command({
  name: 'tree',
  description: 'Show a source as a tree, or without PATH all sources',
  args: {
    path: {
      type: 'positional',
      required: false,
      completes: 'object',
      description: 'A local path or a URI',
    },
    depth: {
      type: 'string',
      alias: 'L',
      valueHint: 'N',
      description: `Depth of opened folders (default ${defaultDepth})`,
    },
  },
  notes: [
    'Entries that are left out of the index have a reason. Folders that are left out are not opened; use `trove ls`.',
    'A folder that contains itself through a link is shown once and marked.',
  ],
  examples: [
    { command: 'trove tree .', does: 'show the current folder' },
    { command: 'trove tree ./docs -L 1', does: 'show one level' },
  ],
  async run(args, cli) {
    const path = args.text('path');
    const depth = args.integer('depth') ?? defaultDepth;
    const roots =
      path === undefined ? await sourceRoots(cli) : [toTarget(path, cli.cwd, cli.uploadedFolders)];
    const title = (root: string) => path ?? displayUri(root, cli);
    const forest = [];
    for (const root of roots) {
      if (cli.json)
        forest.push({ path: root, entries: await collect(cli, root, depth, new Set()) });
      else {
        await cli.out.line(cli.out.style.bold(cli.out.safeName(title(root))));
        await print(cli, root, depth, '', new Set());
      }
    }
    if (cli.json) await cli.printJson(path === undefined ? forest : forest[0]);
  },
});

async function sourceRoots(cli: Cli): Promise<string[]> {
  const { connectors } = await cli.client.server.status();
  if (connectors.length === 0) await cli.err.line('No sources yet: trove add PATH');
  return connectors.map(({ root_uri }) => root_uri);
}

async function print(
  cli: Cli,
  path: string,
  depth: number,
  indent: string,
  above: ReadonlySet<string>,
): Promise<void> {
  if (depth === 0) return;
  const { out } = cli;
  const { entries } = await cli.client.browse.ls({ path });
  for (const [index, entry] of entries.entries()) {
    const last = index === entries.length - 1;
    const loop = isLoop(entry, above);
    const name = out.safeName(entryName(entry, cli));
    const shown = entry.type === 'dir' ? out.style.cyan(name) : name;
    const why =
      entry.indexable === false || entry.reason !== null
        ? out.style.dim(out.safeName(indexRemark(entry)))
        : '';
    await out.line(
      `${indent}${last ? '└── ' : '├── '}${shown}${loop ? out.style.dim('  (loop)') : ''}${why}`,
    );
    if (entry.path !== null && isOpened(entry) && !loop) {
      await print(
        cli,
        entry.path,
        depth - 1,
        indent + (last ? '    ' : '│   '),
        addAncestor(entry, above),
      );
    }
  }
}

async function collect(
  cli: Cli,
  path: string,
  depth: number,
  above: ReadonlySet<string>,
): Promise<TreeNode[]> {
  const { entries } = await cli.client.browse.ls({ path });
  const branches: TreeNode[] = [];
  for (const entry of entries) {
    if (isLoop(entry, above)) branches.push({ ...entry, loop: true });
    else if (entry.path !== null && isOpened(entry) && depth > 1) {
      const inside = await collect(cli, entry.path, depth - 1, addAncestor(entry, above));
      branches.push({ ...entry, entries: inside });
    } else branches.push(entry);
  }
  return branches;
}

/** Excluded folders stay closed: they may be huge or impossible to list. */
function isOpened({ type, indexable }: LsEntry): boolean {
  return type === 'dir' && indexable !== false;
}

function isLoop({ real_id }: LsEntry, above: ReadonlySet<string>): boolean {
  return real_id !== null && above.has(real_id);
}

function addAncestor({ real_id }: LsEntry, above: ReadonlySet<string>): ReadonlySet<string> {
  return real_id === null ? above : new Set([...above, real_id]);
}
