import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { TroveClient } from '@trove/client';

import { startBalancer } from './balancer.js';
import { Program } from './program.js';
import { startServices } from './services.js';

/** Processes that just ended may still be removing files. */
const removeOptions = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };

/** Servers behind a balancer, and workers. All share a database, an object store, a folder and a token. */
export class Deployment {
  /** The URL of the balancer. */
  url;
  token = randomBytes(32).toString('base64url');
  servers = [];
  workers = [];
  /** The folder of all files of the deployment. */
  folder;
  /** Engines in this process, as promises. They are closed before the folder is deleted. */
  engines = new Set();
  /** Environment variables of every process. */
  environment;
  #services;
  #balancer;

  /** Starts the deployment. Throws if a service is not installed, and then stops everything. */
  static async start({ servers, workers }) {
    const deployment = new Deployment();
    try {
      await deployment.#start(servers, workers);
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  /** Creates a client of the balancer, or of one server. */
  client(url = this.url) {
    return new TroveClient({ baseUrl: url, token: this.token });
  }

  /** Starts another server with its own settings, unknown to the balancer. */
  startServer(name, environment) {
    return this.#program(name, ['api', '--bind', '127.0.0.1:0'], environment);
  }

  /** Stops all processes and deletes all files. */
  async stop() {
    await this.#balancer?.stop();
    await Promise.all([...this.servers, ...this.workers].map((program) => program.stop()));
    await this.#services?.stop();
    await Promise.allSettled([...this.engines].map(async (opening) => (await opening).close()));
    if (this.folder !== undefined) await rm(this.folder, removeOptions);
  }

  async #start(servers, workers) {
    this.folder = await mkdtemp(join(tmpdir(), 'trove-shared-'));
    this.#services = await startServices();
    this.environment = {
      ...this.#services.environment,
      TROVE_SERVER_CONFIG: fileURLToPath(new URL('server.toml', import.meta.url)),
      TROVE_API_TOKEN: this.token,
      // Every process must reach the uploads.
      TROVE_UPLOADS_PATH: join(this.folder, 'shared'),
    };
    for (let n = 1; n <= servers; n++) {
      this.servers.push(this.startServer(`server-${n}`));
    }
    for (let n = 1; n <= workers; n++) {
      this.workers.push(this.#program(`worker-${n}`, ['worker', '--concurrency', '1']));
    }
    await Promise.all(this.servers.map((server) => server.waitForOutput(/listening on/)));
    await Promise.all(this.workers.map((worker) => worker.waitForOutput(/"msg":"working"/)));
    this.#balancer = await startBalancer(() => this.servers.flatMap(({ url }) => url ?? []));
    this.url = this.#balancer.url;
  }

  /** Each process has its own home, as on its own machine. */
  #program(name, args, environment = {}) {
    const own = { TROVE_HOME: join(this.folder, name), ...environment };
    return new Program(args, { ...this.environment, ...own });
  }
}
