/** Rest after each sync, as a multiple of its duration. Syncs then take a tenth of the time. */
const share = 9;
/** The longest rest. */
const longestMs = 60_000;
/** The rest that an idle source saves up. A source that changes rarely is then synced without delay. */
const savedMs = 60_000;

/** The longest working time of a sync of a few paths: a base and an amount per indexed chunk. */
const fewPathsMs = 100;
const chunkMs = 5;

/** A finished sync. */
interface Sync {
  readonly began: number;
  readonly ended: number;
  /** The number of indexed chunks of a sync of a few paths; null for a sync that listed everything. */
  readonly chunks: number | null;
}

/** Decides when a source may be synced. Times are milliseconds of one clock. */
export class Rest {
  #until = -Infinity;

  after(sync: Sync): void {
    const ms = sync.ended - sync.began;
    const rest = Math.min(share * workOf(sync), longestMs);
    this.#until = Math.max(this.#until, sync.began - savedMs) + ms + rest;
  }

  /** The remaining rest. */
  left(now: number): number {
    return Math.max(0, this.#until - now);
  }
}

/** The working time of a sync. The remaining duration was spent waiting for other jobs. */
function workOf({ began, ended, chunks }: Sync): number {
  const ms = ended - began;
  return chunks === null ? ms : Math.min(ms, fewPathsMs + chunkMs * chunks);
}
