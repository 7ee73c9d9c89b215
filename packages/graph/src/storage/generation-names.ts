import { randomUUID } from 'node:crypto';
import { isAlive, readProcessSpace } from '@trove/runtime';

/** Tells this process from an earlier one with the same id. */
const startedAt = String(Math.round(performance.timeOrigin));

/** Names of generations, which also identify the process that builds them. */
export class GenerationNames {
  readonly #space: Promise<string>;

  constructor(machineId: string) {
    this.#space = readProcessSpace(machineId);
  }

  async create(): Promise<string> {
    return [await this.#space, process.pid, startedAt, randomUUID()].join('.');
  }

  /** Whether the process that builds it was one of this machine and has ended, so that it never renews its lease. */
  async isAbandoned(generation: string): Promise<boolean> {
    const [space, pid, started] = generation.split('.');
    if (space !== (await this.#space)) return false;
    return Number(pid) === process.pid ? started !== startedAt : !isAlive(Number(pid));
  }
}
