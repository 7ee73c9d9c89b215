import { type Command, command } from '../command.js';
import type { Program } from '../program.js';
import { completionAt } from './completion-source.js';
import type { Completions } from './completer.js';
import { filesLine, escapeForBash, shellOf, shells, wordsOfLine } from './shells.js';

/** Creates the command that completion scripts call. */
export function completeCommand<Context>(
  program: Program<Context>,
  write: (text: string) => Promise<void>,
): Command<Context> {
  return command({
    name: 'complete',
    description: 'Print the completions of a command line',
    args: {
      shell: { type: 'positional', description: shells.join(', ') },
      words: {
        type: 'positional',
        repeats: true,
        required: false,
        description: 'The words so far',
      },
    },
    examples: [],
    async run(args, context: Context) {
      const shell = shellOf(args.required('shell'));
      const typedWords = args.texts('words');
      const line = shell === 'bash' ? wordsOfLine(typedWords[0] ?? '').slice(1) : typedWords;
      const current = line.at(-1) ?? '';
      const { candidates, withFiles } = await completionsOf(program, line, context);
      const fitting = new Map(
        candidates
          .filter(({ value }) => value.startsWith(current))
          .map(({ value, description }) => [value, description]),
      );
      for (const [value, description] of fitting) {
        if (/[\u0000-\u001f\u007f]/.test(value)) continue;
        if (shell === 'bash') await write(`${escapeForBash(value, current)}\n`);
        else await write(description === '' ? `${value}\n` : `${value}\t${description}\n`);
      }
      if (withFiles) await write(`${filesLine}\n`);
    },
  });
}

async function completionsOf<Context>(
  program: Program<Context>,
  line: readonly string[],
  context: Context,
): Promise<Completions> {
  const expected = await completionAt(program, line);
  if (expected.kind === 'words') return { candidates: expected.words, withFiles: false };
  if (expected.of === 'file') return { candidates: [], withFiles: true };
  const completer = program.completers[expected.of];
  if (completer === undefined) return { candidates: [], withFiles: false };
  return completer(line.at(-1) ?? '', context);
}
