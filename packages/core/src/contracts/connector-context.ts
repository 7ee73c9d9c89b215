import type { PluginContext } from './plugin.js';

/** A source's logins: as its configuration gives them, or as they have become since. */
export interface Credentials {
  /**
   * The secret that the configuration gives under a name (`token`, `login.password`), as it is now: a reference is followed
   * each time, so a file that is replaced counts at once. Likewise any other setting that is given as a reference: the user
   * of a password, say. Undefined if the configuration gives none. Throws `credential_error` for a reference that leads
   * nowhere.
   */
  get(name: string): Promise<string | undefined>;
  /**
   * Replaces a token by the one that `renew` gets for it, for services that give out a new one with each use. It is kept on
   * this machine, in a file that only its owner can read, until the configuration gives another; `get` returns it from then
   * on. One at a time for a source: who asks meanwhile gets the same token. Throws what `renew` throws.
   */
  refresh(name: string, renew: (token: string) => Promise<string>): Promise<string>;
}

/** What a connector knows from sync to sync, besides its cursor: a JSON value of at most a million characters. */
export interface SourceState {
  /** What was set while this sync lists, or else by the last one that was kept; undefined before the first. */
  get(): Promise<unknown>;
  /** Call it from `list` or `changes`: kept with the job as the cursor is, once it succeeds, wholly or in part. */
  set(value: unknown): void;
}

export interface ConnectorContext<C> extends PluginContext<C> {
  /** Canonical URI of the source's root. */
  readonly target: string;
  readonly credentials: Credentials;
  readonly state: SourceState;
  /**
   * Absolute real paths on this machine where Trove keeps its own files. A source of local files must never list, read
   * or search anything inside them, even through links. The engine itself refuses a target inside them.
   */
  readonly deniedRoots: readonly string[];
  /**
   * Absolute real paths that local files must lie in; none: anywhere. The engine checks the target itself; what that leads
   * to, such as a repository that has its objects elsewhere, only its connector knows.
   */
  readonly allowedRoots: readonly string[];
  /**
   * Absolute path of the folder that holds the source's files if a client sent them to Trove, for plugins that serve
   * local files. It is no part of the source's name: nobody must be shown it.
   */
  readonly tree?: string;
  /**
   * Absolute path of a folder of this source's own, to be made when it is first needed: for what can be fetched again,
   * such as copies and what tells whether they are still good. Another machine has another one; processes of the same
   * machine share it. It goes with the source. Absent where nothing is to be kept.
   */
  readonly cacheFolder?: string;
}
