import { createInterface } from 'node:readline/promises';

/** Asks a question that is answered with yes or no; anything but yes is no. */
export type Ask = (question: string) => Promise<boolean>;

/** Asks a person on the terminal; null when there is none. */
export function askOn({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>): Ask | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question) => {
    const terminal = createInterface({ input: stdin, output: stderr });
    // Whoever closes the input says no.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    try {
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
      return /^y(?:es)?$/i.test(answer.trim());
    } finally {
      terminal.close();
    }
  };
}
