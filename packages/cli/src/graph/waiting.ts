import type { Cli } from '../session/cli.js';
import { CLEAR_LINE } from '../terminal/notice.js';

const TICK_MS = 250;

/** Runs what takes long; on a terminal, a line says what it is and for how long it has been going on. */
export async function waitingFor<T>(cli: Cli, what: string, work: () => Promise<T>): Promise<T> {
  const { err } = cli;
  if (cli.json || !err.isTerminal) return work();
  const began = performance.now();
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    void err.write(
      `${CLEAR_LINE}${`${what} … ${seconds} s`.slice(0, Math.max(20, err.columns - 1))}`,
    );
  };
  draw();
  const ticking = setInterval(draw, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    await err.write(CLEAR_LINE);
  }
}
