/** What the holder of a token may do. Each level includes the previous ones. */
export const rightsLevels = ['read', 'sync', 'admin'] as const;

export type Rights = (typeof rightsLevels)[number];

/** A token without its secret. */
export interface TokenRecord {
  /** The public part of the token. */
  readonly id: string;
  /** Unique among tokens that are neither replaced nor ended. */
  readonly name: string;
  /** Hash of the secret. */
  readonly hash: string;
  readonly rights: Rights;
  /** Canonical URIs of the sources, folders and objects that the holder may see. Null: all. */
  readonly paths: readonly string[] | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** Null: the token never ends. */
  readonly endsAt: number | null;
  /** Whether a newer token with this name exists. */
  readonly isReplaced: boolean;
}

/** A token as it was read. */
export interface StoredToken extends TokenRecord {
  /** Milliseconds until the token ends, by the clock that set its end. Not positive: it has ended. Null: it never ends. */
  readonly remainingMs: number | null;
}

export interface NewToken extends Pick<TokenRecord, 'id' | 'name' | 'hash' | 'rights' | 'paths'> {
  /** Milliseconds until the token ends. Null: it never ends. */
  readonly lifetimeMs: number | null;
}

/** The id and the hash of a token that replaces another one. */
export type TokenReplacement = Pick<NewToken, 'id' | 'hash'>;

/** The tokens of callers. */
export interface TokenCatalog {
  /** Adds a token and deletes ended ones with its name. Throws `token_exists`. */
  create(token: NewToken): Promise<TokenRecord>;
  get(id: string): Promise<StoredToken | null>;
  /** Returns all tokens, also ended ones, by name. Of equal names, the oldest is first. */
  list(): Promise<TokenRecord[]>;
  /**
   * Replaces the newest token with a name by one with the same rights and lifetime. The replaced one ends after
   * `overlapMs`, or earlier if it ends anyway. Returns null if the name has no token that has not ended.
   */
  rotate(
    name: string,
    replacement: TokenReplacement,
    overlapMs: number,
  ): Promise<TokenRecord | null>;
  /** Deletes all tokens with a name. Returns their ids. */
  revoke(name: string): Promise<string[]>;
  /** Records that a token was used, unless a use within the last `intervalMs` is recorded. */
  recordUse(id: string, intervalMs: number): Promise<void>;
}
