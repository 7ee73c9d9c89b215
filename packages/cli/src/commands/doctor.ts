import { Exit } from '@trove/commands';

import { type DoctorCheck, runChecks } from '../doctor/checks.js';
import { command } from '../session/command.js';
import type { Sink } from '../terminal/output.js';

const nameWidth = 10;

export const doctor = command({
  name: 'doctor',
  description: 'Check the home, server, token, disk and sources, and suggest fixes',
  args: {},
  notes: ['Exits with 1 if a check fails. Notes do not count.'],
  examples: [{ command: 'trove doctor', does: 'find problems' }],
  async run(_args, cli) {
    const results: DoctorCheck[] = [];
    for await (const check of runChecks(cli)) {
      results.push(check);
      if (!cli.json) await printCheck(cli.out, check);
    }
    if (cli.json) await cli.printJson(results);
    if (results.some(({ state }) => state === 'failed')) throw new Exit(1);
  },
});

async function printCheck(out: Sink, { name, state, detail, advice }: DoctorCheck): Promise<void> {
  const { green, yellow, red } = out.style;
  const mark = { ok: green('ok  '), warning: yellow('note'), failed: red('BAD ') }[state];
  await out.line(`${mark}  ${name.padEnd(nameWidth)}${out.safeName(detail)}`);
  if (advice !== undefined) await out.line(`${' '.repeat(6 + nameWidth)}→ ${out.safeName(advice)}`);
}
