import { resolve } from 'node:path';
import { commandBody, UsageError } from '@trove/commands';
import { stringify } from 'smol-toml';
import { installedPlugins, installedSourceKinds, openTrove } from 'trove';
import { version } from '../version.js';
import { readToml } from '../wizard/read-toml.js';
import { SourceWizard } from '../wizard/source-wizard.js';
import { replaceFile } from '../wizard/replace-file.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots, promptsOf } from './shared.js';

export const connectorAdd = commandBody({
  args: {
    target: {
      type: 'positional',
      required: false,
      completes: 'file',
      description:
        'Path or URI of the source, or a scheme such as github or rest. Without a path or URI, the command asks on the terminal',
    },
    set: {
      type: 'string',
      repeats: true,
      valueHint: 'NAME=VALUE',
      description: 'Set an option of the source. Repeatable',
    },
    exclude: {
      type: 'string',
      repeats: true,
      valueHint: 'NAME',
      description: 'Do not index this top-level folder, table or object. Repeatable',
    },
    from: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description: 'Read the configuration from a TOML file',
    },
    save: {
      type: 'string',
      valueHint: 'FILE',
      completes: 'file',
      description:
        'Also write the configuration to a TOML file. An existing file is renamed to FILE.bak',
    },
    update: { type: 'boolean', description: 'Replace the configuration of a registered source' },
    yes: { type: 'boolean', alias: 'y', description: 'Ask no questions' },
    ...configArg,
  },
  examples: [
    {
      command: 'trove-server connector add',
      does: 'search the kinds of sources, or paste the address of a page',
    },
    {
      command: 'trove-server connector add github',
      does: 'ask for a repository and a token, and check them',
    },
    {
      command: "trove-server connector add ~/notes --set 'ignore=*.log, drafts/' -y",
      does: 'add a folder without questions',
    },
    {
      command: 'trove-server connector add ~/archive --save archive.toml -y',
      does: 'add a folder and save its configuration',
    },
  ],
  async run(args, { out }: ServerContext) {
    const file = fileToSave(args.text('save'));
    const config = await configOf(args.text('config'));
    const prompts = args.flag('yes') ? null : await promptsOf('Add a source');
    const roots = packageRoots(config);
    const adding = new SourceWizard({
      prompts,
      connectors: await installedPlugins(config.settings, roots, 'connector'),
      kinds: await installedSourceKinds(config.settings, roots),
      engine: await openTrove(config.settings, { version, appRoots: roots }),
      excluded: args.texts('exclude'),
      print: (text) => void out.write(`${text}\n`),
    });
    try {
      const { target, config: found } = await adding.askTarget(args.text('target'));
      const from = args.text('from');
      const first = { ...found, ...(from === undefined ? {} : await readToml(from)) };
      const settings = await adding.askSettings(target, first, args.texts('set'));
      const accepted = await adding.testSource(target, settings, args.flag('update'));
      const named =
        file ?? fileToSave((await adding.askFile(target, from !== undefined)) ?? undefined);
      await adding.register(accepted);
      if (named !== null) await out.write(await save(named, accepted.config));
    } finally {
      await adding.close();
    }
  },
});

function fileToSave(option: string | undefined): string | null {
  if (option === undefined) return null;
  if (option === '' || option.endsWith('/'))
    throw new UsageError('--save needs a file', ['Name one: --save FILE']);
  return resolve(option);
}

/** Writes the file and returns the message about it. */
async function save(path: string, config: Readonly<Record<string, unknown>>): Promise<string> {
  const backup = await replaceFile(path, stringify(config));
  return `Wrote ${path}${backup === null ? '' : `. The previous file is ${backup}`}\n`;
}
