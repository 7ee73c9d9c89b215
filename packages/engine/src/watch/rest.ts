/** After each sync, a source rests for so many times as long: syncs take a tenth of the time. */
const share = 9;
/** No rest is longer. */
const longestMs = 60_000;
/** So much rest is saved up while nothing is synced: what changes now and then need not wait. */
const savedMs = 60_000;

/** When a source may be synced. Times are milliseconds of one clock. */
export class Rest {
  #until = -Infinity;

  after(sync: { readonly began: number; readonly ended: number }): void {
    const ms = sync.ended - sync.began;
    this.#until =
      Math.max(this.#until, sync.began - savedMs) + ms + Math.min(share * ms, longestMs);
  }

  /** How long it is to rest still. */
  left(now: number): number {
    return Math.max(0, this.#until - now);
  }
}
