import { silentLogger } from '@trove/core';
import { defineCommand } from 'citty';
import { diskParts, openTrove, type Compacted } from 'trove';
import { version } from '../version.js';
import { configArg, configOf, packageRoots, refuseUnknown, sayFile } from './shared.js';
import { tableOf } from './table.js';

const MB = 1e6;
const args = { ...configArg };

export const compact = defineCommand({
  meta: {
    name: 'trove-server compact',
    description:
      'Give back the space of what was deleted: in the databases, the index and the caches; servers may go on meanwhile',
  },
  args,
  async run({ args: given }) {
    refuseUnknown(given, args);
    const config = await configOf(given.config);
    sayFile(config);
    process.stdout.write('Compacting: it takes half a minute, or longer if there is much.\n');
    const appRoots = packageRoots(config);
    const engine = await openTrove(config.settings, { logger: silentLogger, version, appRoots });
    try {
      process.stdout.write(report(await engine.compact()));
    } finally {
      await engine.close();
    }
  },
});

function report({ before, after }: Compacted): string {
  const shown = (bytes: number | null): string =>
    bytes === null ? 'not known' : `${(bytes / MB).toFixed(1)} MB`;
  const rows = diskParts.map((part) => [
    part.replaceAll('_', ' '),
    shown(before[part]),
    shown(after[part]),
  ]);
  return `${tableOf(['', 'before', 'after'], rows).join('\n')}\n`;
}
