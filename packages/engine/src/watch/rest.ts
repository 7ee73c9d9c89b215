/** After each sync, a source rests for so many times as long: syncs take a tenth of the time. */
const share = 9;
/** No rest is longer. */
const longestMs = 60_000;
/** So much rest is saved up while nothing is synced: what changes now and then need not wait. */
const savedMs = 60_000;

/** What a sync of a few paths takes by itself, at most, and for each chunk that it indexes. */
const fewPathsMs = 100;
const chunkMs = 5;

/** A sync that has ended. */
interface Sync {
  readonly began: number;
  readonly ended: number;
  /** How many chunks it has indexed, if it looked at a few paths only; null: it listed everything. */
  readonly chunks: number | null;
}

/** When a source may be synced. Times are milliseconds of one clock. */
export class Rest {
  #until = -Infinity;

  after(sync: Sync): void {
    const ms = sync.ended - sync.began;
    const rest = Math.min(share * workOf(sync), longestMs);
    this.#until = Math.max(this.#until, sync.began - savedMs) + ms + rest;
  }

  /** How long it is to rest still. */
  left(now: number): number {
    return Math.max(0, this.#until - now);
  }
}

/** For the rest of its time, a sync has waited for other jobs. */
function workOf({ began, ended, chunks }: Sync): number {
  const ms = ended - began;
  return chunks === null ? ms : Math.min(ms, fewPathsMs + chunkMs * chunks);
}
