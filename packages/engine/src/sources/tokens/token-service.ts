import { createToken, inject, injectable, LoggerToken, MetadataStoreToken } from '@trove/core/di';
import { TroveError, type Infer, type Logger } from '@trove/core';
import type { MetadataStore, TokenCatalog, TokenRecord } from '@trove/core/store';
import type { Caller } from '../../api/access.js';
import type {
  CreatedToken,
  createTokenRequestSchema,
  RevokedToken,
  rotateTokenRequestSchema,
  TokenInfo,
  TokensResponse,
} from '../../api/schemas.js';
import { ConnectorsToken, type Connectors } from '../connectors/connectors.js';
import { resolvePaths } from '../visibility/resolve-paths.js';
import { CachedTokens } from './cached-tokens.js';
import { formatToken, hashOf, hasHash, newTokenParts, parseToken } from './token-text.js';

/** The interval at which uses are recorded, because each request would otherwise write. */
const useIntervalMs = 60_000;

/** The token of `TokenService` in an engine's container. */
export const TokensToken = createToken<TokenService>('engine.tokens');

/** Creates, checks and ends the tokens of callers. The log has a line for each change. */
@injectable()
export class TokenService {
  readonly #tokens: TokenCatalog;
  readonly #connectors: Pick<Connectors, 'findUri' | 'findIndexedUri'>;
  readonly #cached: CachedTokens;
  readonly #logger: Logger;

  constructor(
    @inject(MetadataStoreToken) store: Pick<MetadataStore, 'tokens'>,
    @inject(ConnectorsToken) connectors: Pick<Connectors, 'findUri' | 'findIndexedUri'>,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#connectors = connectors;
    this.#tokens = store.tokens;
    this.#cached = new CachedTokens(store.tokens);
    this.#logger = logger;
  }

  /** `by`: the name of the caller, for the log. */
  async create(
    { name, rights, paths, expires_in_s: seconds }: Infer<typeof createTokenRequestSchema>,
    by: string,
  ): Promise<CreatedToken> {
    if (rights === 'admin' && paths !== null) {
      throw new TroveError('validation_error', 'paths: a token with the right `admin` sees all', {
        suggestions: ['Use the right `sync` or `read`, or omit the paths.'],
      });
    }
    const parts = newTokenParts();
    const record = await this.#tokens.create({
      id: parts.id,
      name,
      hash: hashOf(parts),
      rights,
      paths: paths === null ? null : await resolvePaths(this.#connectors, paths),
      lifetimeMs: seconds === null ? null : seconds * 1000,
    });
    this.#logger.info('token created', { ...auditOf(record), by });
    return { ...infoOf(record), token: formatToken(parts) };
  }

  async list(): Promise<TokensResponse> {
    return { tokens: (await this.#tokens.list()).map(infoOf) };
  }

  /** Throws `not_found`. */
  async rotate(
    name: string,
    { overlap_s: overlap }: Infer<typeof rotateTokenRequestSchema>,
    by: string,
  ): Promise<CreatedToken> {
    const parts = newTokenParts();
    const replacement = { id: parts.id, hash: hashOf(parts) };
    const record = await this.#tokens.rotate(name, replacement, overlap * 1000);
    if (record === null) throw unknownToken(name);
    this.#cached.clear();
    this.#logger.info('token rotated', { ...auditOf(record), overlap_s: overlap, by });
    return { ...infoOf(record), token: formatToken(parts) };
  }

  /** Throws `not_found`. */
  async revoke(name: string, by: string): Promise<RevokedToken> {
    const ids = await this.#tokens.revoke(name);
    if (ids.length === 0) throw unknownToken(name);
    this.#cached.clear();
    this.#logger.info('token revoked', { token_name: name, ids, by });
    return { name, revoked: ids.length };
  }

  /** Returns the caller with a token. Null if the token is not valid. A change by another process counts within seconds. */
  async authenticate(text: string): Promise<Caller | null> {
    const parts = parseToken(text);
    if (parts === null) return null;
    const record = await this.#cached.get(parts.id);
    if (record === null || !hasHash(parts, record.hash)) return null;
    this.#recordUse(record);
    const { name, rights, paths } = record;
    return { name, access: { rights, paths } };
  }

  #recordUse({ id, lastUsedAt }: TokenRecord): void {
    if (!this.#cached.isUseDue(id, lastUsedAt, useIntervalMs)) return;
    this.#tokens
      .recordUse(id, useIntervalMs)
      .catch((error: unknown) =>
        this.#logger.warn('the use of a token was not recorded', { error: String(error) }),
      );
  }
}

function infoOf(record: TokenRecord): TokenInfo {
  const { id, name, rights, paths, createdAt, lastUsedAt, endsAt, isReplaced } = record;
  return {
    id,
    name,
    rights,
    paths: paths === null ? null : [...paths],
    created_at: toIsoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : toIsoTime(lastUsedAt),
    ends_at: endsAt === null ? null : toIsoTime(endsAt),
    is_replaced: isReplaced,
  };
}

function auditOf({ id, name, rights, paths, endsAt }: TokenRecord): Record<string, unknown> {
  return {
    token_name: name,
    id,
    rights,
    paths,
    ends_at: endsAt === null ? null : toIsoTime(endsAt),
  };
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function unknownToken(name: string): TroveError {
  return new TroveError('not_found', `There is no token named ${name}`, {
    suggestions: ['List the tokens. Ended tokens cannot be rotated.'],
  });
}
