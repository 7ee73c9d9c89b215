import { randomUUID } from 'node:crypto';
import { isAlive, readProcessSpace } from '@trove/runtime';

/** Distinguishes this process from an earlier one with the same id. */
const startedAt = String(Math.round(performance.timeOrigin));

/** Creates names of generations, which identify the building process. */
export class GenerationNames {
  readonly #space: Promise<string>;

  constructor(machineId: string) {
    this.#space = readProcessSpace(machineId);
  }

  async create(): Promise<string> {
    return [await this.#space, process.pid, startedAt, randomUUID()].join('.');
  }

  /** Tests if the building process ran on this machine and has ended. */
  async isAbandoned(generation: string): Promise<boolean> {
    const [space, pid, started] = generation.split('.');
    if (space !== (await this.#space)) return false;
    return Number(pid) === process.pid ? started !== startedAt : !isAlive(Number(pid));
  }
}
