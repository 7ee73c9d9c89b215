import { explanationOf } from '../explain/explanation.js';
import { findTarget } from '../explain/finding.js';
import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';

export const explain = command({
  name: 'explain',
  description:
    'Say why a file is found or not: ignored by which rule, too large, not yet synced, …',
  args: {
    path: { type: 'positional', completes: 'object', description: 'A local path or a URI' },
  },
  notes: ['Exits with 0 whatever it says; with --json, `verdict` says it in one word.'],
  examples: [
    { command: 'trove explain notes/ops.md', does: 'is it indexed?' },
    { command: 'trove explain node_modules', does: 'which rule leaves it out?' },
  ],
  async run(args, cli) {
    const typed = args.required('path');
    const target = toTarget(typed, cli.cwd, cli.sent);
    const finding = await findTarget(cli, target);
    const { verdict, text, suggestions } = explanationOf(cli, target, typed, finding);
    if (cli.json) {
      const entry = finding.kind === 'entry' ? finding.entry : null;
      const source = 'source' in finding ? finding.source.root_uri : null;
      return cli.printJson({ path: target, verdict, detail: text, suggestions, source, entry });
    }
    await cli.out.line(cli.out.safeName(text));
    for (const suggestion of suggestions) {
      await cli.err.line(`${cli.err.style.yellow('hint:')} ${cli.err.safeName(suggestion)}`);
    }
  },
});
