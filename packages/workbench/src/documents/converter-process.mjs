import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Time of the processor that no document should take. */
export const limitMs = 10_000;
/** A machine may have other things to do; what takes longer does not end. */
const hangsMs = 90_000;
const childProgram = fileURLToPath(new URL('child.mjs', import.meta.url));

/** Converts documents in a process of its own, which is started anew when it dies or takes too long. */
export class ConverterProcess {
  #child = null;
  #peak = 0;

  /** `{ ms, markdown }` or `{ ms, code, detail }`, with the time of the processor, or `{ crashed }`; and whether it was late. */
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

  /** The most memory that was resident at any time, in bytes. */
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
