import { type Command, command } from '../command.js';
import { completionScript, shellOf, shells } from './shells.js';

/** The output in the context of a program. */
interface OutputContext {
  readonly out: { write(text: string): Promise<void> };
}

/** Creates the command that prints a completion script. `offers` names what the shell completes. */
export function completionCommand(program: string, offers: string): Command<OutputContext> {
  return command({
    name: 'completion',
    description: `Print a script that lets a shell complete ${offers}`,
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
        does: `create a file to source with . ./${program}.bash`,
      },
    ],
    async run(args, { out }: OutputContext) {
      await out.write(completionScript(shellOf(args.required('shell')), program));
    },
  });
}
