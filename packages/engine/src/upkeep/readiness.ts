import { messageOf, TroveError, type Logger } from '@trove/core';

/** Whoever asks gives up soon after this. */
const limitMs = 2000;
/** Asked more often than this, the last answer is given again: anyone may ask. */
const freshMs = 1000;

/** Something that must answer before requests can be served. */
export interface Dependency {
  /** For people: "the index". */
  readonly name: string;
  /** As cheap as can be; throws when it does not work. */
  ask(): Promise<unknown>;
}

/** Whether what the engine stands on answers: asked at most once a second, and for two seconds at most. */
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  readonly #logger: Logger;
  /** Questions without an answer yet: none is asked twice at a time, however long it hangs. */
  readonly #asking = new Map<Dependency, Promise<string | null>>();
  #verdict: Promise<readonly string[]> | null = null;
  #failed = '';

  constructor(dependencies: readonly Dependency[], logger: Logger) {
    this.#dependencies = dependencies;
    this.#logger = logger;
  }

  /** Throws `not_ready`, which names what does not answer and nothing else: who asks may have no token. */
  async check(): Promise<void> {
    this.#verdict ??= this.#find();
    const silent = await this.#verdict;
    if (silent.length === 0) return;
    throw new TroveError('not_ready', `No answer from ${silent.join(' and ')}`, {
      retryable: true,
      retryAfterMs: freshMs,
    });
  }

  async #find(): Promise<readonly string[]> {
    const reasons = await Promise.all(this.#dependencies.map((each) => this.#reason(each)));
    setTimeout(() => (this.#verdict = null), freshMs).unref();
    const failed = this.#dependencies.flatMap(({ name }, at) => {
      const reason = reasons[at] ?? null;
      return reason === null ? [] : [{ name, reason }];
    });
    this.#log(failed.map(({ name, reason }) => `${name}: ${reason}`).join('; '));
    return failed.map(({ name }) => name);
  }

  /** Null: it answers. */
  async #reason(dependency: Dependency): Promise<string | null> {
    const asked = this.#asking.get(dependency) ?? this.#ask(dependency);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, limitMs, `nothing within ${limitMs / 1000} s`);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #ask(dependency: Dependency): Promise<string | null> {
    const asked = dependency
      .ask()
      .then(() => null)
      .catch(messageOf)
      .finally(() => this.#asking.delete(dependency));
    this.#asking.set(dependency, asked);
    return asked;
  }

  /** Each change once: a probe asks for ever. */
  #log(failed: string): void {
    if (failed === this.#failed) return;
    this.#failed = failed;
    if (failed === '') this.#logger.info('ready again');
    else this.#logger.warn('not ready', { reason: failed });
  }
}
