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
      description: 'With --section auth: auto (generate a token), open (no token), or a token',
    },
    section: {
      type: 'string',
      valueHint: 'NAME',
      description: 'Sections to set up, separated by commas: auth, or sections of server.toml',
    },
    set: {
      type: 'string',
      repeats: true,
      valueHint: 'SECTION.KEY=VALUE',
      description: 'A setting. Repeatable',
    },
    try: {
      type: 'boolean',
      default: true,
      description:
        'Write the settings without testing them. Otherwise the databases, the index and the embedder are opened first',
    },
    yes: { type: 'boolean', alias: 'y', description: 'Ask no questions' },
    config: {
      ...configArg.config,
      description:
        'The file to write. Default: TROVE_SERVER_CONFIG, otherwise server.toml in the home',
    },
  },
  examples: [
    { command: 'trove-server setup --section auth auto', does: 'generate a token' },
    {
      command: 'trove-server setup --set server.request_timeout_s=60 -y',
      does: 'set one value without questions',
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
      throw new UsageError('there is nothing to set', [
        'Name a setting with --set SECTION.KEY=VALUE, or run the command on a terminal without -y.',
      ]);
    }
    const oldContent = parseToml(path, before);
    const content = await settingUp.collectSettings(
      oldContent,
      sections,
      assignments,
      args.flag('try'),
    );
    if (!settingUp.showChanges(oldContent, content)) return;
    if (prompts !== null && !(await prompts.confirm(`Write ${path}?`)))
      throw new WizardCancelledError();
    const { text, keepsComments } = editToml(before, content);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const backup = await replaceFile(path, text);
    const backupNote = backup === null ? '' : `. The previous file is ${backup}`;
    await out.write(`Wrote ${path}${backupNote}\n`);
    if (!keepsComments) await out.write('The comments in the file were lost.\n');
    await out.write('Restart a running server to apply the settings.\n');
  },
});

function fileToWrite(option: string | undefined, home: string): string {
  if (option === '') throw new UsageError('--config needs a file', ['Name one: --config FILE']);
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

function parseToml(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    throw unreadableFileError(path, cause);
  }
}

/** Returns the assignment of `--section auth MODE`. */
function authOf(sections: readonly string[], mode: string | undefined): string[] {
  if (mode === undefined) return [];
  if (sections.length !== 1 || sections[0] !== 'auth') {
    throw new UsageError(`unexpected argument "${mode}"`, [
      'A mode needs `--section auth` and no other section.',
    ]);
  }
  return [`auth_token=${mode}`];
}
