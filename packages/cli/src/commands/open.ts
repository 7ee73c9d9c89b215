import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { Exit, CommandError } from '@trove/commands';

import { chooseEditor, editorCommand } from '../open/editor.js';
import { readHit } from '../open/last-hits.js';
import { fileToOpen } from '../open/local-copy.js';
import { type TargetPosition, parsePosition } from '../paths/position.js';
import type { Cli } from '../session/cli.js';
import { command } from '../session/command.js';
import { errorCode } from '../session/system-errors.js';

export const open = command({
  name: 'open',
  description: 'Open a hit in your editor at its line',
  args: {
    hit: {
      type: 'positional',
      completes: 'object',
      description:
        'The number of a hit of the last search, or a path or URI, optionally with `:LINE` or `:LINE:COLUMN`',
    },
    editor: {
      type: 'string',
      alias: 'e',
      valueHint: 'COMMAND',
      description: 'The editor (default: VISUAL, EDITOR, vi)',
    },
    print: {
      type: 'boolean',
      alias: 'p',
      description: 'Print `path:line:column` instead of opening the file',
    },
  },
  notes: [
    'HIT may be a line that grep has printed. Lines are supported by vim, nvim, vi, nano, emacs, ' +
      'emacsclient, micro, kak, code, codium, cursor, zed, subl, hx, kate, the JetBrains editors and others.',
    'An object that is not a local text file is opened as a read-only copy of its text.',
    "Exits with the editor's exit code.",
  ],
  examples: [
    { command: 'trove open 1', does: 'open the best hit of the last search' },
    { command: 'trove open docs/guide.md:24', does: 'open a line' },
    { command: 'trove open -p docs/guide.md:24', does: 'print the path of the file' },
  ],
  async run(args, cli) {
    const { target, line, column } = parseHit(args.required('hit'), cli);
    const { path, isCopy } = await fileToOpen(cli, target);
    if (args.flag('print')) {
      const place = [path, ...(line === null ? [] : [line, column ?? 1])].join(':');
      return cli.out.line(cli.out.safeName(place));
    }
    if (isCopy) await cli.err.line('note: this is a copy; changes are not saved');
    const editor = args.text('editor') ?? chooseEditor(cli.env);
    try {
      await runEditor(editorCommand(editor, path, { line, column }), cli);
    } finally {
      if (isCopy) await rm(dirname(path), { recursive: true, force: true });
    }
  },
});

function parseHit(text: string, cli: Cli): TargetPosition {
  if (!/^\d{1,4}$/.test(text)) return parsePosition(text, cli.cwd);
  const { source, line } = readHit(cli.home, Number(text));
  return { target: source, line, lastLine: null, column: null, locator: null };
}

async function runEditor([program = '', ...words]: readonly string[], cli: Cli): Promise<void> {
  const child = spawn(program, words, { stdio: 'inherit', cwd: cli.cwd });
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Exit(typeof code === 'number' ? code : 1);
  } catch (error) {
    if (error instanceof Exit) throw error;
    throw new CommandError('editor_failed', `cannot start ${program} (${errorCode(error)})`, [
      'Set EDITOR to your editor: export EDITOR=nano',
    ]);
  }
}
