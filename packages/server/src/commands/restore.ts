import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandBody } from '@trove/commands';
import { defaultHome, restoreBackup, withBackup } from 'trove';
import type { ServerConfig } from '../config/load.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots, printConfigFile } from './shared.js';

const megabyte = 1e6;
/** The number of tokens that the output names. */
const maxNames = 20;
/** The settings that name places of data. */
const placePattern = /^(?:metadata|index|uploads)\./;

export const restore = commandBody({
  args: {
    folder: {
      type: 'positional',
      completes: 'file',
      description: 'Folder of a backup that `trove backup` wrote, or s3://bucket/folder',
    },
    'keep-tokens': {
      type: 'boolean',
      description: 'Keep the tokens of the backup valid, including tokens that were revoked since',
    },
    ...configArg,
  },
  notes: [
    'Restores into the home ($TROVE_HOME, otherwise ~/.trove), which must be empty or missing.',
    'Without --config, the settings in the backup apply. They name the database and the other places outside the home.',
    'With --config, that file becomes the server.toml of the home.',
    'Revokes all tokens of the backup, because some may have been revoked since. The token of the server stays valid.',
    'An interrupted restore can be repeated.',
  ],
  examples: [
    {
      command: 'TROVE_HOME=/srv/trove trove-server restore /backups/monday',
      does: 'restore a backup',
    },
    {
      command: 'TROVE_HOME=/srv/trove trove-server restore /backups/move --keep-tokens',
      does: 'move a server, with its tokens',
    },
  ],
  async run(args, { out }: ServerContext) {
    const place = args.required('folder');
    const from = /^(?:s3|gs):\/\//.test(place) ? place : resolve(place);
    const given = args.text('config');
    await withBackup(from, defaultHome(), async (folder) => {
      const own = join(folder, 'server.toml');
      const config = await configOf(given ?? (existsSync(own) ? own : undefined));
      await printConfigFile(config, out);
      const { settings, file } = config;
      const keepTokens = args.flag('keep-tokens');
      const { createdAt, files, bytes, lacksIndex, revokedTokens } = await restoreBackup({
        from: folder,
        settings,
        keepTokens,
        settingsFile: given === undefined || file === null ? undefined : file,
        appRoots: packageRoots(config),
      });
      const size = `${files} files, ${(bytes / megabyte).toFixed(1)} MB`;
      await out.write(`Restored the backup of ${createdAt} into ${settings.home}: ${size}\n`);
      const variables = placeVariables(config);
      if (variables.length > 0)
        await out.write(`Start its servers with the same ${variables.join(', ')}.\n`);
      if (keepTokens)
        await out.write('Tokens revoked since the backup are valid again: trove token list\n');
      if (revokedTokens.length > 0)
        await out.write(`Revoked the tokens of the backup: ${namesOf(revokedTokens)}\n`);
      if (lacksIndex)
        await out.write('The home has no index. Sync each source to build it: trove add URI\n');
    });
  },
});

/** Returns the first names as a list. */
function namesOf(tokens: readonly string[]): string {
  const more = tokens.length - maxNames;
  return tokens.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns the environment variables that named places of data. The home does not keep them. */
function placeVariables({ origins, file }: ServerConfig): string[] {
  return [...origins]
    .filter(([name, origin]) => placePattern.test(name) && origin !== file)
    .map(([, origin]) => origin);
}
