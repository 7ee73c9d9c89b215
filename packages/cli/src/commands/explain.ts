import { explanationOf } from '../explain/explanation.js';
import { findTarget } from '../explain/finding.js';
import { toTarget } from '../paths/target.js';
import { command } from '../session/command.js';

export const explain = command({
  name: 'explain',
  description: 'Explain why a file is found or not: ignored, too large, not yet synced, …',
  args: {
    path: { type: 'positional', completes: 'object', description: 'A local path or a URI' },
  },
  notes: ['Always exits with 0. With --json, `verdict` contains the result.'],
  examples: [
    { command: 'trove explain notes/ops.md', does: 'check if a file is indexed' },
    { command: 'trove explain node_modules', does: 'show the rule that leaves it out' },
  ],
  async run(args, cli) {
    const typed = args.required('path');
    const target = toTarget(typed, cli.cwd, cli.uploadedFolders);
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
