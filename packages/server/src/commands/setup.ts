import { dirname, join, resolve } from 'node:path';
import { mkdir, readFile } from 'node:fs/promises';
import { commandBody, UsageError } from '@trove/commands';
import { parse } from 'smol-toml';
import { defaultHome } from 'trove';
import { unreadableFileError } from '../config/file-error.js';
import { editToml } from '../wizard/edit-toml.js';
import { WizardCancelledError } from '../wizard/prompts.js';
import { replaceFile } from '../wizard/replace-file.js';
import { assertSection, SetupWizard } from '../wizard/setup-wizard.js';
import type { ServerContext } from './context.js';
import { configArg, packageRootsOf, promptsOf } from './shared.js';

export const setup = commandBody({
  args: {
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
      repeats: true,
      valueHint: 'SECTION.KEY=VALUE',
      description: 'A setting; may be given more than once',
    },
    try: {
      type: 'boolean',
      default: true,
      description:
        'Write the settings without trying them; else the databases, the index and the embedder are opened first',
    },
    yes: { type: 'boolean', alias: 'y', description: 'Ask nothing' },
    config: {
      ...configArg.config,
      description: 'The file to write; default: TROVE_SERVER_CONFIG, else server.toml in the home',
    },
  },
  examples: [
    { command: 'trove-server setup --section auth auto', does: 'a new token for callers' },
    {
      command: 'trove-server setup --set server.request_timeout_s=60 -y',
      does: 'one setting, without questions',
    },
  ],
  async run(args, { out }: ServerContext) {
    const home = defaultHome();
    const path = fileToWrite(args.text('config'), home);
    const before = await textOf(path);
    const prompts = args.flag('yes') ? null : await promptsOf(`Settings of ${path}`);
    const sections =
      args
        .text('section')
        ?.split(',')
        .map((name) => name.trim()) ?? [];
    for (const name of sections) assertSection(name);
    const settingUp = new SetupWizard({
      prompts,
      home,
      roots: packageRootsOf([dirname(path), home]),
      print: (text) => void out.write(`${text}\n`),
    });
    const assignments = [...args.texts('set'), ...authOf(sections, args.text('mode'))];
    if (prompts === null && assignments.length === 0) {
      throw new UsageError('there is nothing to set: give --set, or run on a terminal');
    }
    const first = parsed(path, before);
    const content = await settingUp.collectSettings(first, sections, assignments, args.flag('try'));
    if (!settingUp.showChanges(first, content)) return;
    if (prompts !== null && !(await prompts.confirm(`Write ${path}?`)))
      throw new WizardCancelledError();
    const { text, keepsComments } = editToml(before, content);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const backup = await replaceFile(path, text);
    const kept = backup === null ? '' : `; what it held before is in ${backup}`;
    await out.write(`Wrote ${path}${kept}\n`);
    if (!keepsComments) await out.write('Its comments could not be kept.\n');
    await out.write('A running server takes the settings when it is restarted.\n');
  },
});

function fileToWrite(option: string | undefined, home: string): string {
  if (option === '') throw new UsageError('--config needs a file');
  const named = option ?? process.env['TROVE_SERVER_CONFIG'];
  return named === undefined || named === '' ? join(home, 'server.toml') : resolve(named);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw unreadableFileError(path, error);
  }
}

function parsed(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    throw unreadableFileError(path, cause);
  }
}

/** `--section auth open` says how callers are let in. */
function authOf(sections: readonly string[], mode: string | undefined): string[] {
  if (mode === undefined) return [];
  if (sections.length !== 1 || sections[0] !== 'auth') {
    throw new UsageError(`unexpected argument "${mode}"`);
  }
  return [`auth_token=${mode}`];
}
