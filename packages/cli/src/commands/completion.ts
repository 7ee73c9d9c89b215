import { UsageError } from '../failure.js';
import { type Command, command, type Group } from '../framework/command.js';
import { wantedAt } from '../completion/candidates.js';
import { FILES, forBash, scripts, type Shell, shells, wordsOfLine } from '../completion/shells.js';
import { valuesOf } from '../completion/values.js';

export const completion = command({
  name: 'completion',
  description: 'Print what makes a shell complete commands, options, and the paths of sources',
  args: {
    shell: { type: 'positional', valueHint: shells.join('|'), description: shells.join(', ') },
  },
  notes: [
    'Put `eval "$(trove completion bash)"` in ~/.bashrc; the same for zsh in ~/.zshrc, after compinit. For fish, save it as ' +
      '~/.config/fish/completions/trove.fish.',
  ],
  examples: [
    { command: 'trove completion bash > trove.bash', does: 'to be read with: . ./trove.bash' },
  ],
  async run(args, cli) {
    await cli.out.write(scripts[shellOf(args.required('shell'))]);
  },
});

/** What the scripts of shells call; not for people, so no help names it. */
export function completeWith(root: () => Group): Command {
  return command({
    name: 'complete',
    description: 'Print what may come at the end of a command line',
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
    async run(args, cli) {
      const shell = shellOf(args.required('shell'));
      const given = args.texts('words');
      const line = shell === 'bash' ? wordsOfLine(given[0] ?? '').slice(1) : given;
      const current = line.at(-1) ?? '';
      const wanted = wantedAt(root(), line);
      const { candidates, withFiles } =
        wanted.kind === 'words'
          ? { candidates: wanted.words, withFiles: false }
          : await valuesOf(wanted.kind, current, cli);
      const fitting = new Map(
        candidates
          .filter(({ value }) => value.startsWith(current))
          .map(({ value, description }) => [value, description]),
      );
      for (const [value, description] of fitting) {
        if (/[\u0000-\u001f\u007f]/.test(value)) continue;
        if (shell === 'bash') await cli.out.line(forBash(value, current));
        else await cli.out.line(description === '' ? value : `${value}\t${description}`);
      }
      if (withFiles) await cli.out.line(FILES);
    },
  });
}

function shellOf(text: string): Shell {
  const shell = shells.find((name) => name === text);
  if (shell === undefined) throw new UsageError(`SHELL must be one of ${shells.join(', ')}`);
  return shell;
}
