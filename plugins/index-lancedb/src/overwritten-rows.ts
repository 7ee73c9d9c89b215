import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'overwritten-rows.txt';
/** The first line of a file that a build of the index has started. */
const builtLine = 'built';

export interface OverwrittenCount {
  readonly rows: number;
  /** Whether all rows since the build of the index are counted. */
  readonly isComplete: boolean;
}

/**
 * Counts the rows overwritten since the vector index was built. The store's update of that index keeps their former
 * vectors (lance-format/lance#8342). A table in a folder has the count in a file, which all processes share and which
 * survives restarts. A kill can lose the count of one commit. Elsewhere each process counts its own rows.
 */
export class OverwrittenRows {
  readonly #file: string | null;
  #own: OverwrittenCount = { rows: 0, isComplete: false };

  /** `folder`: the folder of the table, or null if it is not in a local folder. */
  constructor(folder: string | null) {
    this.#file = folder === null ? null : join(folder, fileName);
  }

  async add(rows: number): Promise<void> {
    if (this.#file === null) this.#own = { ...this.#own, rows: this.#own.rows + rows };
    else await appendFile(this.#file, `${rows}\n`);
  }

  async count(): Promise<OverwrittenCount> {
    if (this.#file === null) return this.#own;
    const lines = (await textIn(this.#file)).split('\n');
    return {
      rows: lines.reduce((sum, line) => sum + (/^\d{1,9}$/.test(line) ? Number(line) : 0), 0),
      isComplete: lines[0] === builtLine,
    };
  }

  /** Call after a build of the index. `before`: the count at its start. Rows overwritten since then still count. */
  async settle(before: OverwrittenCount): Promise<void> {
    const rows = Math.max(0, (await this.count()).rows - before.rows);
    if (this.#file === null) {
      this.#own = { rows, isComplete: true };
      return;
    }
    const next = `${this.#file}.next`;
    await writeFile(next, `${builtLine}\n${rows}\n`);
    await rename(next, this.#file);
  }
}

async function textIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
