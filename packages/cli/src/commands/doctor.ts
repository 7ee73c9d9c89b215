import { Exit } from '@trove/commands';

import { type DoctorCheck, runChecks } from '../doctor/checks.js';
import type { Cli } from '../session/cli.js';
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
    if (!(await reportChecks(cli, runChecks(cli)))) throw new Exit(1);
  },
});

/** Prints checks as they end. Resolves with false if one of them failed. */
export async function reportChecks(cli: Cli, checks: AsyncIterable<DoctorCheck>): Promise<boolean> {
  const results: DoctorCheck[] = [];
  for await (const check of checks) {
    results.push(check);
    if (!cli.json) await printCheck(cli.out, check);
  }
  if (cli.json) await cli.printJson(results);
  return results.every(({ state }) => state !== 'failed');
}

async function printCheck(out: Sink, { name, state, detail, advice }: DoctorCheck): Promise<void> {
  const { green, yellow, red } = out.style;
  const mark = { ok: green('ok  '), warning: yellow('note'), failed: red('BAD ') }[state];
  await out.line(`${mark}  ${name.padEnd(nameWidth)}${out.safeName(detail)}`);
  if (advice !== undefined) await out.line(`${' '.repeat(6 + nameWidth)}→ ${out.safeName(advice)}`);
}
