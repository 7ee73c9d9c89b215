import type { Cli } from '../session/cli.js';
import { clearLine } from './output.js';

/** Shows a notice on a terminal while work runs. */
export async function withNotice<T>(cli: Cli, text: string, work: () => Promise<T>): Promise<T> {
  const { err } = cli;
  if (cli.json || !err.isTerminal) return work();
  await err.write(text);
  try {
    return await work();
  } finally {
    await err.write(clearLine);
  }
}
