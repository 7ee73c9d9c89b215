import { createInterface } from 'node:readline/promises';

/** Asks a yes-or-no question; anything but yes means no. */
export type Confirm = (question: string) => Promise<boolean>;

/** Asks a person on the terminal; null when there is none. */
export function confirmOnTerminal({
  stdin,
  stderr,
}: Pick<NodeJS.Process, 'stdin' | 'stderr'>): Confirm | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: stdin, output: stderr });
    // Closing the input means no.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    try {
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
      return /^y(?:es)?$/i.test(answer.trim());
    } finally {
      terminal.close();
    }
  };
}
