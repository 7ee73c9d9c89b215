/** The leases of workers, on jobs and on tasks. `JobQueue` and `TaskQueue` grant them. */
export interface WorkerLeases {
  /** Extends all leases of the worker. Returns the ids of the jobs that it still holds. */
  renew(worker: string, leaseMs: number): Promise<string[]>;
  /**
   * Releases all leases of the worker. Its jobs become `queued` and its tasks claimable, without counting an attempt.
   * If the worker `died`, its tasks count an attempt and a death, and each job that it led or worked on counts a death.
   */
  release(worker: string, options?: { readonly died: boolean }): Promise<void>;
  /** Returns the workers with unexpired leases. */
  holders(): Promise<string[]>;
}
