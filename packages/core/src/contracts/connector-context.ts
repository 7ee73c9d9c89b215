import type { PluginContext } from './plugin.js';

/** The credentials of a source. */
export interface Credentials {
  /** The state of the service's limits for this login. Absent: the sources of this process share it in memory. */
  readonly limits?: LoginLimitState;
  /**
   * A stable name of the login, a hash. Sources of one scheme have the same one if their configurations name the same
   * secrets and user names. They share refreshed tokens and the limits of the service. A source without a secret shares it
   * with no other source.
   */
  readonly login: string;
  /**
   * Returns the value of a setting such as `token` or `login.password`. References (`env:`, `file:`) are resolved on
   * every call, so a replaced file takes effect at once. Also works for settings that are not secret, such as a user
   * name. Undefined if the setting is absent. Throws `credential_error` if a reference cannot be resolved.
   */
  get(name: string): Promise<string | undefined>;
  /**
   * Replaces a token by the result of `renew`, for services with rotating tokens. Stores the new token on this machine,
   * in a file that only its owner can read. `get` returns it until the configuration changes. Calls for one login run
   * one at a time, in all its sources and processes. A call that had to wait returns the token of the other one and does
   * not call its own `renew`. Throws what `renew` throws.
   */
  refresh(name: string, renew: (token: string) => Promise<string>): Promise<string>;
}

/**
 * A JSON value about the limits of a service, such as the end of a pause. The sources of a login and the processes of this
 * machine share it. Anything in it may be lost.
 */
export interface LoginLimitState {
  /** Undefined before the first update. */
  get(): Promise<unknown>;
  /** Replaces the value by the result of `change`. Updates of one login run one at a time, in all its processes. */
  update(change: (state: unknown) => unknown, signal: AbortSignal): Promise<void>;
}

/** State that a connector keeps between syncs besides its cursor: a JSON value of at most a million characters. */
export interface SourceState {
  /** Returns the value set during this listing, or else the last stored one. Undefined before the first. */
  get(): Promise<unknown>;
  /**
   * Sets the value. Call it from `list` or `changes`. It is stored like the cursor, when the job succeeds wholly or in
   * part.
   */
  set(value: unknown): void;
}

export interface ConnectorContext<C> extends PluginContext<C> {
  /** Canonical URI of the source's root. */
  readonly target: string;
  readonly credentials: Credentials;
  readonly state: SourceState;
  /**
   * Absolute real paths of Trove's own files on this machine. A source of local files must never list, read or search
   * inside them, not even through links. The engine itself refuses a target inside them.
   */
  readonly deniedRoots: readonly string[];
  /**
   * Absolute real paths of the folders that local files must lie in. Empty: anywhere. The engine checks the target. The
   * connector must check other paths that the target leads to, such as the object folder of a repository.
   */
  readonly allowedRoots: readonly string[];
  /**
   * Absolute path of the folder with the uploaded files of the source, for connectors of local files. The path is not
   * part of the source's name and must never be shown.
   */
  readonly tree?: string;
  /**
   * Absolute path of a folder for data that can be fetched again, such as copies and their validators. The connector
   * creates it on first use. Processes of this machine share it; other machines have their own. Removed with the
   * source. Undefined if nothing may be stored.
   */
  readonly cacheFolder?: string;
}
