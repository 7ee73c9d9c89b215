import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a secret: a line that the terminal does not show, or all of a redirected input. Returns it without white space. */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return (await text(stdin)).trim();
  stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: hidden, terminal: true });
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
