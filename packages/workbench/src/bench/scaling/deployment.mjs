import { join } from 'node:path';

import { replicaOf, workerOf } from '../measure/indexing.mjs';

/** Servers and workers that share services, each with its own home below `folder`. */
export class Deployment {
  replicas = [];
  workers = [];
  #folder;
  #environment;

  constructor(folder, environment) {
    this.#folder = folder;
    this.#environment = environment;
  }

  get client() {
    return this.replicas[0].client;
  }

  async start(replicas, workers) {
    for (let n = 1; n <= replicas; n++) this.replicas.push(await this.#replica(n));
    for (let n = 1; n <= workers; n++)
      this.workers.push(await workerOf(join(this.#folder, `worker-${n}`), this.#environment));
  }

  /** Restarts the first replica. */
  async restartReplica() {
    await this.replicas[0].stop();
    this.replicas[0] = await this.#replica(1);
  }

  async stop() {
    await Promise.all([...this.replicas, ...this.workers].map((program) => program.stop()));
  }

  #replica(n) {
    return replicaOf(join(this.#folder, `server-${n}`), this.#environment);
  }
}
