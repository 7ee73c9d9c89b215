import { createInterface } from 'node:readline/promises';

/** Asks a yes-or-no question. Any answer except yes means no. */
export type Confirm = (question: string) => Promise<boolean>;

/** Creates a function that asks on the terminal, or null without a terminal. */
export function confirmOnTerminal({
  stdin,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stderr'>): Confirm | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: stdin, output: stderr });
    // A closed input means no.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    try {
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
      return /^y(?:es)?$/i.test(answer.trim());
    } finally {
      terminal.close();
    }
  };
}
