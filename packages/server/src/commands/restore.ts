import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandBody } from '@trove/commands';
import { restoreBackup } from 'trove';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots, printConfigFile } from './shared.js';

const megabyte = 1e6;

export const restore = commandBody({
  args: {
    folder: {
      type: 'positional',
      completes: 'file',
      description: 'Folder of a backup that `trove backup` wrote, or s3://bucket/folder',
    },
    ...configArg,
  },
  notes: [
    'Restores into the home ($TROVE_HOME, otherwise ~/.trove), which must be empty or missing.',
    'Without --config, the settings in the backup apply. They name the database and the other places outside the home.',
    'A restore that was interrupted can be repeated.',
  ],
  examples: [
    {
      command: 'TROVE_HOME=/srv/trove trove-server restore /backups/monday',
      does: 'restore a backup',
    },
  ],
  async run(args, { out }: ServerContext) {
    const folder = args.required('folder');
    const from = /^(?:s3|gs):\/\//.test(folder) ? folder : resolve(folder);
    const own = join(from, 'server.toml');
    const given = args.text('config');
    const config = await configOf(given ?? (existsSync(own) ? own : undefined));
    await printConfigFile(config, out);
    const { settings } = config;
    const { createdAt, files, bytes, lacksIndex } = await restoreBackup({
      from,
      settings,
      appRoots: packageRoots(config),
    });
    const size = `${files} files, ${(bytes / megabyte).toFixed(1)} MB`;
    await out.write(`Restored the backup of ${createdAt} into ${settings.home}: ${size}\n`);
    if (lacksIndex)
      await out.write('It has no index. Syncs of the sources build it: trove add URI\n');
  },
});
