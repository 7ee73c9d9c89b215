import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { FakeMessage, FakeSource, ReceivedRequest } from './fake-program.js';

const root = new URL('../../../', import.meta.url);
const onSources = new URL('packages/workbench/src/on-sources.mjs', root).href;

interface Pending {
  readonly resolve: (requests: readonly ReceivedRequest[]) => void;
  readonly reject: (error: Error) => void;
}

/** The fake service of a connector in a process of its own: `plugins/connector-NAME/test/fake-program.ts`. */
export class FakeProcess implements AsyncDisposable {
  readonly source: FakeSource;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #arrived = 0;
  #calls = 0;

  private constructor(child: ChildProcess, source: FakeSource) {
    this.#child = child;
    this.source = source;
    child.on('message', (message: FakeMessage) => this.#receive(message));
    child.once('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('The fake has ended'));
    });
  }

  /** `scheme`: the kind of source, if the connector has several. */
  static async start(name: string, scheme: string = name): Promise<FakeProcess> {
    const program = new URL(`plugins/connector-${name}/test/fake-program.ts`, root);
    const child = fork(fileURLToPath(program), [scheme], {
      execArgv: ['--import', onSources],
    });
    const source = await new Promise<FakeSource>((resolve, reject) => {
      child.once('message', (message: FakeMessage) => {
        if ('source' in message) resolve(message.source);
      });
      child.once('exit', (code) => reject(new Error(`The fake of ${name} ended with ${code}`)));
    });
    return new FakeProcess(child, source);
  }

  /** The number of requests since the start, also of those without an answer. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Runs a step of the program, such as a change of the service. */
  async step(name: string, argument = 0): Promise<void> {
    await this.#call(name, argument);
  }

  /** Returns the answered requests since the last step `forget`. */
  requests(): Promise<readonly ReceivedRequest[]> {
    return this.#call('requests', 0);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #call(step: string, argument: number): Promise<readonly ReceivedRequest[]> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, step, argument });
    });
  }

  #receive(message: FakeMessage): void {
    if ('arrived' in message) this.#arrived = message.arrived;
    if (!('id' in message)) return;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('problem' in message) pending?.reject(new Error(message.problem));
    else pending?.resolve(message.requests);
  }
}
