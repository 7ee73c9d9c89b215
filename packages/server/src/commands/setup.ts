import { dirname, join, resolve } from 'node:path';
import { mkdir, readFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { parse } from 'smol-toml';
import { defaultHome } from 'trove';
import { unreadable } from '../config/unreadable.js';
import { optionTexts } from '../wizard/assignments.js';
import { editToml } from '../wizard/edit-toml.js';
import { WizardCancelled } from '../wizard/prompts.js';
import { replaceFile } from '../wizard/replace-file.js';
import { assertSection, SettingUp } from '../wizard/setting-up.js';
import { configArg, packageRootsOf, promptsOf, refuseUnknown, usageError } from './shared.js';

const args = {
  mode: {
    type: 'positional',
    required: false,
    description: 'With --section auth: auto (a generated token), open (none), or the token',
  },
  section: {
    type: 'string',
    valueHint: 'NAME',
    description: 'What to set up: auth, or a section of server.toml; several with commas between',
  },
  set: {
    type: 'string',
    valueHint: 'SECTION.KEY=VALUE',
    description: 'A setting; may be given more than once',
  },
  try: {
    type: 'boolean',
    default: true,
    negativeDescription: 'Write the settings without trying them',
    description: 'Open the databases, the index and the embedder before anything is written',
  },
  yes: { type: 'boolean', alias: 'y', description: 'Ask nothing' },
  config: {
    ...configArg.config,
    description: 'The file to write; default: TROVE_SERVER_CONFIG, else server.toml in the home',
  },
} as const;

export const setup = defineCommand({
  meta: {
    name: 'trove-server setup',
    description:
      'Write server.toml: ask for settings, try them, and keep what the file held before in server.toml.bak',
  },
  args,
  async run({ args: given, rawArgs }) {
    refuseUnknown({ ...given, y: undefined, _: given._.slice(1) }, { ...args, y: args.yes });
    const home = defaultHome();
    const path = fileToWrite(given.config, home);
    const before = await textOf(path);
    const prompts = given.yes === true ? null : await promptsOf(`Settings of ${path}`);
    const sections = given.section?.split(',').map((name) => name.trim()) ?? [];
    for (const name of sections) assertSection(name);
    const settingUp = new SettingUp({
      prompts,
      home,
      roots: packageRootsOf([dirname(path), home]),
      print: (text) => process.stdout.write(`${text}\n`),
    });
    const assignments = [...optionTexts(rawArgs, '--set'), ...authOf(sections, given.mode)];
    if (prompts === null && assignments.length === 0) {
      throw usageError('there is nothing to set: give --set, or run on a terminal');
    }
    const first = parsed(path, before);
    const content = await settingUp.settled(first, sections, assignments, given.try);
    if (!settingUp.showChanges(first, content)) return;
    if (prompts !== null && !(await prompts.confirm(`Write ${path}?`))) throw new WizardCancelled();
    const { text, keepsComments } = editToml(before, content);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const backup = await replaceFile(path, text);
    const kept = backup === null ? '' : `; what it held before is in ${backup}`;
    process.stdout.write(`Wrote ${path}${kept}\n`);
    if (!keepsComments) process.stdout.write('Its comments could not be kept.\n');
    process.stdout.write('A running server takes the settings when it is restarted.\n');
  },
});

function fileToWrite(option: string | undefined, home: string): string {
  if (option === '') throw usageError('--config needs a file');
  const named = option ?? process.env['TROVE_SERVER_CONFIG'];
  return named === undefined || named === '' ? join(home, 'server.toml') : resolve(named);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unreadable(path, error);
  }
}

function parsed(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** `--section auth open` says how callers are let in. */
function authOf(sections: readonly string[], mode: string | undefined): string[] {
  if (mode === undefined) return [];
  if (sections.length !== 1 || sections[0] !== 'auth') {
    throw usageError(`unknown argument: ${mode}`);
  }
  return [`auth_token=${mode}`];
}
