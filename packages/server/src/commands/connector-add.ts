import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineCommand } from 'citty';
import { parse, stringify } from 'smol-toml';
import { installedPlugins, openTrove } from 'trove';
import { unreadable } from '../config/unreadable.js';
import { version } from '../version.js';
import { AddingSource } from '../wizard/adding-source.js';
import { optionTexts } from '../wizard/assignments.js';
import { replaceFile } from '../wizard/replace-file.js';
import {
  configArg,
  configOf,
  packageRoots,
  promptsOf,
  refuseUnknown,
  usageError,
} from './shared.js';

const args = {
  target: {
    type: 'positional',
    required: false,
    description: 'Path or URI of the source; asked for on a terminal',
  },
  set: {
    type: 'string',
    valueHint: 'NAME=VALUE',
    description: "A setting of the source's configuration; may be given more than once",
  },
  without: {
    type: 'string',
    valueHint: 'NAME',
    description:
      'A folder, table or object at the top of the source that is not to be indexed; may be given more than once',
  },
  from: {
    type: 'string',
    valueHint: 'FILE',
    description: 'Read the configuration from a TOML file',
  },
  save: {
    type: 'string',
    valueHint: 'FILE',
    description: 'Write the configuration to a TOML file, too; what that held goes to FILE.bak',
  },
  update: { type: 'boolean', description: 'Replace the configuration of a registered source' },
  yes: { type: 'boolean', alias: 'y', description: 'Ask nothing' },
  ...configArg,
} as const;

export const connectorAdd = defineCommand({
  meta: {
    name: 'trove-server connector add',
    description:
      'Set up a source: ask for its settings, try it, and register it; a running server, or the next one, indexes it',
  },
  args,
  async run({ args: given, rawArgs }) {
    refuseUnknown({ ...given, y: undefined, _: given._.slice(1) }, { ...args, y: args.yes });
    const config = await configOf(given.config);
    const prompts = given.yes === true ? null : await promptsOf('Add a source');
    const roots = packageRoots(config);
    const adding = new AddingSource({
      prompts,
      connectors: await installedPlugins(config.settings, roots, 'connector'),
      engine: await openTrove(config.settings, { version, appRoots: roots }),
      leaveOut: optionTexts(rawArgs, '--without'),
      print: (text) => process.stdout.write(`${text}\n`),
    });
    try {
      const target = await adding.target(given.target);
      const first = given.from === undefined ? {} : await readToml(given.from);
      const settings = await adding.settings(target, first, optionTexts(rawArgs, '--set'));
      const accepted = await adding.tried(target, settings, given.update === true);
      await adding.register(accepted);
      if (given.save !== undefined) await save(resolve(given.save), accepted.config);
    } finally {
      await adding.close();
    }
  },
});

async function readToml(path: string): Promise<Record<string, unknown>> {
  try {
    return parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function save(path: string, config: Readonly<Record<string, unknown>>): Promise<void> {
  if (path.endsWith('/')) throw usageError('--save needs a file');
  const backup = await replaceFile(path, stringify(config));
  process.stdout.write(
    `Wrote ${path}${backup === null ? '' : `; what it held before is in ${backup}`}\n`,
  );
}
