import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Processor time that no document should exceed. */
export const limitMs = 10_000;
/** On a busy machine, a longer conversion counts as hanging. */
const hangsMs = 90_000;
const childProgram = fileURLToPath(new URL('child.mjs', import.meta.url));

/** Converts documents in a separate process, which restarts after a crash or timeout. */
export class ConverterProcess {
  #child = null;
  #peak = 0;

  /**
   * Returns `{ ms, markdown }` or `{ ms, code, detail }` with the processor time, or `{ crashed }`, and whether it was
   * late.
   */
  async convert({ file, mediaType }) {
    this.#child ??= fork(childProgram, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    const child = this.#child;
    let timer;
    const outcome = await new Promise((settle) => {
      child.once('message', settle);
      child.once('exit', (code, signal) => settle({ crashed: `ended with ${signal ?? code}` }));
      timer = setTimeout(() => settle({ late: true }), hangsMs);
      child.send({ file, mediaType });
    });
    clearTimeout(timer);
    child.removeAllListeners();
    if (outcome.peak !== undefined) this.#peak = Math.max(this.#peak, outcome.peak);
    if (outcome.crashed !== undefined || outcome.late === true) await this.#stop();
    return { ...outcome, late: outcome.late === true || outcome.ms > limitMs };
  }

  /** Returns the peak resident memory in bytes. */
  async end() {
    await this.#stop();
    return this.#peak;
  }

  async #stop() {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((settle) => child.once('exit', settle));
    child.kill('SIGKILL');
    await ended;
  }
}
