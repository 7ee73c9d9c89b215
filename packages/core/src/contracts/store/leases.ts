/** The leases of workers, on jobs and on tasks. `JobQueue` and `TaskQueue` grant them. */
export interface WorkerLeases {
  /** Extends all leases of the worker; returns the ids of the jobs it still holds. */
  renew(worker: string, leaseMs: number): Promise<string[]>;
  /**
   * Gives back everything the worker holds: its jobs become `queued`, its tasks claimable, without counting an attempt.
   * If the worker `died`, its tasks do count an attempt and a death, and each job it led or ran tasks of counts a
   * death.
   */
  release(worker: string, options?: { readonly died: boolean }): Promise<void>;
  /** Workers with leases that have not expired. */
  holders(): Promise<string[]>;
}
