import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Violation } from '../findings.mjs';
import { installPlugin } from '../plugins/packages.mjs';
import { makeApi } from '../requests/api.mjs';
import { makeAsk } from '../requests/ask.mjs';
import { makeSender } from '../requests/send.mjs';
import { serve } from '../world/world.mjs';

const stoppingMs = 10_000;
const behaving = { method: 'none' };

/** A server with its own home. Its embedder follows the plan that `behave` and `misbehave` write. */
export class EmbedderServer {
  #world;
  /** The file with the plan. */
  #plan;
  #running = null;

  constructor({ root, canaries }, provider) {
    const folder = join(root, 'embedder');
    this.#world = { home: join(folder, 'home'), sources: join(folder, 'sources'), canaries };
    this.#plan = join(folder, 'plan.json');
    this.close = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    const { home, sources } = this.#world;
    mkdirSync(home, { recursive: true });
    mkdirSync(sources);
    this.behave();
    const name = installPlugin(home, 'embedder');
    writeFileSync(join(home, 'server.toml'), configOf(sources, provider, name, this.#plan));
  }

  get sources() {
    return this.#world.sources;
  }

  get api() {
    return this.#running.api;
  }

  get ask() {
    return this.#running.ask;
  }

  behave() {
    this.misbehave(behaving);
  }

  /** Written atomically, because the embedder may read it at any moment. */
  misbehave(plan) {
    writeFileSync(`${this.#plan}.new`, JSON.stringify(plan));
    renameSync(`${this.#plan}.new`, this.#plan);
  }

  async start() {
    const server = await serve(this.#world);
    const sender = makeSender(server);
    const ask = makeAsk({ sender, token: server.token, canaries: this.#world.canaries });
    this.#running = { server, sender, ask, api: makeApi(server) };
  }

  /** Throws a `Violation` if the server does not stop correctly, regardless of its embedder. */
  async stop() {
    if (this.#running === null) return;
    const { server, sender, api } = this.#running;
    this.#running = null;
    sender.close();
    api.close();
    const { code, signal, ms } = await server.stop();
    if (code !== 0)
      throw new Violation('embedder exit', `SIGTERM ended the server with ${signal ?? code}`);
    if (ms > stoppingMs)
      throw new Violation('embedder stop', `the server took ${Math.round(ms)} ms to stop`);
  }

  async restart() {
    await this.stop();
    await this.start();
  }
}

function configOf(sources, provider, name, plan) {
  return `
[server]
allowed_roots = [${JSON.stringify(sources)}]
[log]
format = "json"
[plugins]
${provider} = "${name}"
[embedding]
provider = "${provider}"
batch_size = 4
[plugin_config.embedder.${provider}]
plan_file = ${JSON.stringify(plan)}
`;
}
