/** A condition that causes one alert, such as a failing source. */
export interface Incident {
  /** Unique per namespace, such as `source:ID`. */
  readonly key: string;
  readonly code: string;
  /** The start of the condition. */
  readonly since: number;
}

/** An alert for one channel, such as `webhook`. */
export interface NewAlert {
  readonly id: string;
  readonly channel: string;
  /** A JSON value. */
  readonly body: unknown;
}

export interface QueuedAlert extends NewAlert {
  readonly createdAt: number;
  /** The number of claims. */
  readonly attempt: number;
}

/** The state of a source on which an incident is based. */
export interface ObservedSource {
  readonly id: string;
  readonly lastSyncedAt: number | null;
}

/** Open incidents, and alerts that are not delivered yet. All generations of a namespace share them. */
export interface AlertQueue {
  /** Returns the open incidents by key. */
  incidents(): Promise<Incident[]>;
  /**
   * Opens an incident and queues its alerts. Returns false without effect if it is open, or if the source was removed or
   * synced since it was observed.
   */
  raise(incident: Incident, alerts: readonly NewAlert[], source?: ObservedSource): Promise<boolean>;
  /** Closes an incident and queues alerts. Returns false without effect if it is not open. */
  resolve(key: string, alerts: readonly NewAlert[]): Promise<boolean>;
  /**
   * Leases the oldest alert for one of the channels that is neither leased nor postponed. Claims
   * the alerts of an incident in their order for each channel.
   */
  claim(worker: string, channels: readonly string[], leaseMs: number): Promise<QueuedAlert | null>;
  /** Deletes an alert that the worker holds. */
  complete(id: string, worker: string): Promise<void>;
  /** Releases an alert that the worker holds. It is not claimed again for `ms`. */
  postpone(id: string, worker: string, ms: number): Promise<void>;
}
