import type { Cli } from '../session/cli.js';

export const clearLine = '\r\u001b[2K';

/** Shows on a terminal what is being waited for, while it lasts. */
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
