/** The pause after each sync, as a multiple of its duration. Syncs then take a tenth of the time. */
const pauseFactor = 9;
const maxPauseMs = 60_000;
/** The pause that an idle source saves up. A source that changes rarely is then synced without delay. */
const maxCreditMs = 60_000;

/** The limit for the working time of a sync of a few paths: a base, and an amount per indexed chunk. */
const baseMs = 100;
const chunkMs = 5;

/** A finished sync. */
interface FinishedSync {
  readonly began: number;
  readonly ended: number;
  /** The number of indexed chunks of a sync of a few paths; null for a sync that listed everything. */
  readonly chunks: number | null;
}

/** Decides when a source may be synced. Times are milliseconds of one clock. */
export class SyncThrottle {
  #until = -Infinity;

  add(sync: FinishedSync): void {
    const ms = sync.ended - sync.began;
    const pause = Math.min(pauseFactor * workOf(sync), maxPauseMs);
    this.#until = Math.max(this.#until, sync.began - maxCreditMs) + ms + pause;
  }

  /** Returns the remaining pause in milliseconds. */
  remainingMs(now: number): number {
    return Math.max(0, this.#until - now);
  }
}

/** The working time of a sync. The remaining duration was spent waiting for other jobs. */
function workOf({ began, ended, chunks }: FinishedSync): number {
  const ms = ended - began;
  return chunks === null ? ms : Math.min(ms, baseMs + chunkMs * chunks);
}
