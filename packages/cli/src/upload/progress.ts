import type { Cli } from '../session/cli.js';
import { formatSize } from '../terminal/numbers.js';
import { clearLine } from '../terminal/output.js';

const barWidth = 24;
const redrawMs = 100;

/** Shows a progress bar for bytes on a terminal. */
export class ByteProgress {
  readonly #cli: Cli;
  readonly #what: string;
  readonly #total: number;
  #done = 0;
  #drawnAt = 0;

  constructor(cli: Cli, what: string, total: number) {
    this.#cli = cli;
    this.#what = what;
    this.#total = total;
  }

  async add(bytes: number): Promise<void> {
    this.#done += bytes;
    const { err, json } = this.#cli;
    if (json || !err.isTerminal || performance.now() - this.#drawnAt < redrawMs) return;
    this.#drawnAt = performance.now();
    const share = this.#total === 0 ? 0 : Math.min(1, this.#done / this.#total);
    const full = Math.floor(share * barWidth);
    const bar = `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}]`;
    const text = `${bar} ${this.#what}: ${formatSize(this.#done)} of ${formatSize(this.#total)}`;
    await err.write(clearLine + text.slice(0, Math.max(20, err.columns - 1)));
  }

  async clear(): Promise<void> {
    if (this.#drawnAt > 0) await this.#cli.err.write(clearLine);
    this.#drawnAt = 0;
  }
}
