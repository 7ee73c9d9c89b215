import { silentLogger } from '@trove/core';
import { commandBody } from '@trove/commands';
import { diskParts, openTrove, type CompactionResult } from 'trove';
import { version } from '../version.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots, printConfigFile } from './shared.js';
import { formatTable } from './table.js';

const megabyte = 1e6;

export const compact = commandBody({
  args: configArg,
  examples: [
    {
      command: 'trove-server compact',
      does: 'free space, and print the disk usage before and after',
    },
  ],
  async run(args, { out }: ServerContext) {
    const config = await configOf(args.text('config'));
    await printConfigFile(config, out);
    await out.write('Compacting. This takes half a minute, or longer for large data.\n');
    const appRoots = packageRoots(config);
    const engine = await openTrove(config.settings, { logger: silentLogger, version, appRoots });
    try {
      await out.write(report(await engine.compact()));
    } finally {
      await engine.close();
    }
  },
});

function report({ before, after }: CompactionResult): string {
  const shown = (bytes: number | null): string =>
    bytes === null ? 'unknown' : `${(bytes / megabyte).toFixed(1)} MB`;
  const rows = diskParts.map((part) => [
    part.replaceAll('_', ' '),
    shown(before[part]),
    shown(after[part]),
  ]);
  return `${formatTable(['', 'before', 'after'], rows).join('\n')}\n`;
}
