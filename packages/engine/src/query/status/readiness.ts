import { token } from '@trove/core/di';
import { messageOf, TroveError, type Logger } from '@trove/core';
import { within } from '@trove/runtime';
import type { ReadyResponse } from '../../api/schemas.js';
import type { DiskSpaceService } from '../../generations/maintenance/disk-space.js';
import { LastingProblem } from '../../generations/maintenance/lasting-problem.js';

/** Health checks usually give up soon after this time. */
const limitMs = 2000;
/** More frequent calls get the last answer, because anyone may call. */
const freshMs = 1000;

/** Something that must answer before requests can be served. */
export interface Dependency {
  /** For people: "the index". */
  readonly name: string;
  /** A cheap check that throws when the dependency does not work. */
  ask(): Promise<unknown>;
}

/** The token of `Readiness` in an engine's container. */
export const ReadinessToken = token<Readiness>('engine.readiness');

/** Checks whether the engine's dependencies answer, at most once a second and for at most two seconds. */
export class Readiness {
  readonly #dependencies: readonly Dependency[];
  readonly #diskSpace: Pick<DiskSpaceService, 'known'>;
  readonly #problem: LastingProblem;
  /** Checks in progress. A dependency has at most one, even when it hangs. */
  readonly #asking = new Map<Dependency, Promise<string | null>>();
  #verdict: Promise<readonly string[]> | null = null;

  constructor(
    dependencies: readonly Dependency[],
    diskSpace: Pick<DiskSpaceService, 'known'>,
    logger: Logger,
  ) {
    this.#dependencies = dependencies;
    this.#diskSpace = diskSpace;
    this.#problem = new LastingProblem(logger, { begun: 'not ready', over: 'ready again' });
  }

  /** Throws `not_ready` with the names of failed dependencies, without paths, because the caller may have no token. */
  async check(): Promise<ReadyResponse> {
    this.#verdict ??= this.#find();
    const [silent, disks] = await Promise.all([this.#verdict, this.#diskSpace.known()]);
    if (silent.length === 0) {
      const isLow = disks.some(({ state }) => state === 'low' || state === 'full');
      return { status: 'ready', warnings: isLow ? ['disk_low'] : [] };
    }
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
    const why = failed.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
    this.#problem.is(why === '' ? null : why);
    return failed.map(({ name }) => name);
  }

  /** The reason why a dependency does not answer; null if it does. */
  #reason(dependency: Dependency): Promise<string | null> {
    const asked = this.#asking.get(dependency) ?? this.#ask(dependency);
    return within(asked, limitMs, `nothing within ${limitMs / 1000} s`);
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
}
