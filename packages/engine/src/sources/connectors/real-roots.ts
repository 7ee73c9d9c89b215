import { Gate } from '@trove/runtime';

/** Fewer than may wait for a disk, however many sources there are. */
const maxLookups = 32;
/** A link that leads elsewhere now is noticed after this long. */
const maxAgeMs = 60_000;

interface RealRoot {
  readonly at: number;
  readonly real: Promise<string>;
}

/** Where the roots of registered sources really are, kept for a minute: with each new source all others are compared. */
export class RealRoots {
  readonly #lookUp: (uri: string) => Promise<string>;
  readonly #gate = new Gate(maxLookups, Number.MAX_SAFE_INTEGER);
  readonly #signal: AbortSignal;
  #known = new Map<string, RealRoot>();

  constructor(lookUp: (uri: string) => Promise<string>, signal: AbortSignal) {
    this.#lookUp = lookUp;
    this.#signal = signal;
  }

  /** In the order of the given root URIs. What is known of any others is dropped. */
  async of(rootUris: readonly string[]): Promise<string[]> {
    const now = performance.now();
    const known = this.#known;
    this.#known = new Map(
      rootUris.map((uri) => {
        const before = known.get(uri);
        return [uri, before === undefined || now - before.at > maxAgeMs ? this.#ask(uri) : before];
      }),
    );
    return Promise.all(Array.from(this.#known.values(), ({ real }) => real));
  }

  #ask(uri: string): RealRoot {
    const real = this.#gate.run(this.#signal, () => this.#lookUp(uri));
    // Whoever asked is told; nobody may wait any more.
    real.catch(() => {});
    return { at: performance.now(), real };
  }
}
