import { abortController } from '../abort.js';

const lookMs = 250;

/**
 * Aborts its signal with `reason` once the process has grown by so many bytes: what a thread takes outside its heap has no
 * other limit. `restart` counts from now on.
 */
export class MemoryWatch {
  readonly #controller = abortController();
  readonly #timer: NodeJS.Timeout;
  #from = process.memoryUsage.rss();

  constructor(bytes: number, reason: () => Error) {
    this.#timer = setInterval(() => {
      if (process.memoryUsage.rss() - this.#from > bytes) this.#controller.abort(reason());
    }, lookMs).unref();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    this.#from = process.memoryUsage.rss();
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
