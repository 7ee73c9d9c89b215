import { type Command, command } from '../command.js';
import { completionScript, shellOf, shells } from './shells.js';

/** What the command needs of a program's context. */
interface OutputContext {
  readonly out: { write(text: string): Promise<void> };
}

/** The command that prints the script of a shell. `offers` says what the shell then completes. */
export function completionCommand(program: string, offers: string): Command<OutputContext> {
  return command({
    name: 'completion',
    description: `Print what makes a shell complete ${offers}`,
    args: {
      shell: { type: 'positional', valueHint: shells.join('|'), description: shells.join(', ') },
    },
    notes: [
      `Put \`eval "$(${program} completion bash)"\` in ~/.bashrc; the same for zsh in ~/.zshrc, after compinit. For fish, save it as ` +
        `~/.config/fish/completions/${program}.fish.`,
    ],
    examples: [
      {
        command: `${program} completion bash > ${program}.bash`,
        does: `to be read with: . ./${program}.bash`,
      },
    ],
    async run(args, { out }: OutputContext) {
      await out.write(completionScript(shellOf(args.required('shell')), program));
    },
  });
}
