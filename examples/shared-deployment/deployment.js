import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { TroveClient } from '@trove/client';

import { startBalancer } from './balancer.js';
import { Program } from './program.js';
import { startServices } from './services.js';

/** What has just ended may still remove files of its own. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };

/** Servers behind a balancer, and workers; all of them share a database, an object store, a folder and a token. */
export class Deployment {
  /** Where all servers together answer. */
  url;
  token = randomBytes(32).toString('base64url');
  servers = [];
  workers = [];
  /** Of everything that it writes. */
  folder;
  /** Whatever else of this process writes there, to be closed first. */
  guests = new Set();
  /** What every process is started with. */
  environment;
  #services;
  #balancer;

  /** Throws where something it needs is not installed; nothing is left running then. */
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

  /** A client of all servers, or of one. */
  client(url = this.url) {
    return new TroveClient({ baseUrl: url, token: this.token });
  }

  /** One more server, which the balancer does not know, with settings of its own. */
  startServer(name, environment) {
    return this.#program(name, ['api', '--bind', '127.0.0.1:0'], environment);
  }

  /** Everything is gone afterwards. */
  async stop() {
    await this.#balancer?.stop();
    await Promise.all([...this.servers, ...this.workers].map((program) => program.stop()));
    await this.#services?.stop();
    await Promise.allSettled([...this.guests].map((guest) => guest.close()));
    if (this.folder !== undefined) await rm(this.folder, REMOVAL);
  }

  async #start(servers, workers) {
    this.folder = await mkdtemp(join(tmpdir(), 'trove-shared-'));
    this.#services = await startServices();
    this.environment = {
      ...this.#services.environment,
      TROVE_SERVER_CONFIG: fileURLToPath(new URL('server.toml', import.meta.url)),
      TROVE_API_TOKEN: this.token,
      // What clients send is kept here, so every process has to reach it.
      TROVE_UPLOADS_PATH: join(this.folder, 'shared'),
    };
    for (let n = 1; n <= servers; n++) {
      this.servers.push(this.startServer(`server-${n}`));
    }
    for (let n = 1; n <= workers; n++) {
      this.workers.push(this.#program(`worker-${n}`, ['worker', '--concurrency', '1']));
    }
    await Promise.all(this.servers.map((server) => server.says(/listening on/)));
    await Promise.all(this.workers.map((worker) => worker.says(/"msg":"working"/)));
    this.#balancer = await startBalancer(() => this.servers.flatMap(({ url }) => url ?? []));
    this.url = this.#balancer.url;
  }

  /** Each has a home of its own, as on a machine of its own. */
  #program(name, args, environment = {}) {
    const own = { TROVE_HOME: join(this.folder, name), ...environment };
    return new Program(args, { ...this.environment, ...own });
  }
}
