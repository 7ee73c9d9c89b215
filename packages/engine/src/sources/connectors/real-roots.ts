import { Gate } from '@trove/runtime';

/** Keeps file system calls available for other work, however many sources there are. */
const maxLookups = 32;
/** A changed link is noticed after this time. */
const maxAgeMs = 60_000;

interface RealRoot {
  readonly at: number;
  readonly real: Promise<string>;
}

/** Caches the real paths of registered sources for a minute, because each new source is compared with all others. */
export class RealRoots {
  readonly #lookUp: (uri: string) => Promise<string>;
  readonly #gate = new Gate(maxLookups, Number.MAX_SAFE_INTEGER);
  readonly #signal: AbortSignal;
  #known = new Map<string, RealRoot>();

  constructor(lookUp: (uri: string) => Promise<string>, signal: AbortSignal) {
    this.#lookUp = lookUp;
    this.#signal = signal;
  }

  /** Returns the real URIs in the order of `rootUris`. Forgets all others. */
  async of(rootUris: readonly string[]): Promise<string[]> {
    const now = performance.now();
    const known = this.#known;
    this.#known = new Map(
      rootUris.map((uri) => {
        const before = known.get(uri);
        return [
          uri,
          before === undefined || now - before.at > maxAgeMs ? this.#resolve(uri) : before,
        ];
      }),
    );
    return Promise.all(Array.from(this.#known.values(), ({ real }) => real));
  }

  #resolve(uri: string): RealRoot {
    const real = this.#gate.run(this.#signal, () => this.#lookUp(uri));
    // The caller receives the error.
    real.catch(() => {});
    return { at: performance.now(), real };
  }
}
