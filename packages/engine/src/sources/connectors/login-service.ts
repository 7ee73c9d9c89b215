import { inject, injectable, createToken } from '@trove/core/di';
import { TroveError, type OAuthLogin } from '@trove/core';
import { acceptRequest, openHttp } from '@trove/runtime';
import { SignalToken } from '../../tokens.js';
import { Connectors, ConnectorsToken, type Target } from './connectors.js';
import type { SourceHealth } from './source-health.js';
import { SourceLogins, SourceLoginsToken } from './source-logins.js';
import type { SourceConfig } from '../schedules/sync-settings.js';

/** The token of `LoginService` in an engine's container. */
export const LoginServiceToken = createToken<LoginService>('engine.login_service');

const requestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['target'],
  properties: { target: { type: 'string', minLength: 1 }, config: { type: 'object' } },
} as const;

/** A source whose login a person renews. It need not be registered. */
export interface LoginRequest {
  readonly target: string;
  /** Default: the configuration of the registered source. */
  readonly config?: SourceConfig;
}

/** A login that waits for the token of a person. */
export interface OpenedLogin {
  /** The endpoints and the client. It contains the secret of the client. */
  readonly oauth: OAuthLogin;
  /** The registered sources that use this login. */
  readonly sources: readonly string[];
  /** Whether all sources with the same client and account use this login. */
  readonly isShared: boolean;
  /** `fetch` for the requests of the login. */
  readonly http: typeof globalThis.fetch;
  /** Stores the refresh token for all sources with this login. */
  store(refreshToken: string): Promise<void>;
  /** Opens the source and checks whether it works with the stored token. */
  check(): Promise<Pick<SourceHealth, 'ok' | 'detail'>>;
}

/** Opens the logins of sources for commands on a terminal. */
@injectable()
export class LoginService {
  readonly #connectors: Connectors;
  readonly #logins: SourceLogins;
  readonly #signal: AbortSignal;

  constructor(
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(SourceLoginsToken) logins: SourceLogins,
    @inject(SignalToken) signal: AbortSignal,
  ) {
    this.#connectors = connectors;
    this.#logins = logins;
    this.#signal = signal;
  }

  /** Throws `not_supported` if the connector has no login for people. */
  async open(request: LoginRequest): Promise<OpenedLogin> {
    const { target: text, config } = acceptRequest(requestSchema, request);
    const target = await this.#connectors.resolveTarget(text);
    const { login } = target.plugin;
    if (login === undefined) {
      throw new TroveError('not_supported', `${target.scheme} has no login on a terminal`, {
        suggestions: ['Set the secrets of the source in its configuration.'],
      });
    }
    const records = await this.#connectors.listSources();
    const own = records.find(({ rootUri }) => rootUri === target.rootUri)?.config ?? null;
    const opened = await this.#connectors.openCredentials(target, config ?? own);
    const { credentials } = opened;
    const oauth = await login({ config: opened.config, target: target.rootUri, credentials });
    const sources: string[] = [];
    for (const record of records)
      if ((await this.#logins.of(record)) === credentials.login) sources.push(record.rootUri);
    return {
      oauth,
      sources,
      isShared: opened.isShared,
      http: openHttp(this.#signal, { userAgent: 'Trove (login)', retries: false }),
      store: (refreshToken) => credentials.replace(oauth.setting, refreshToken),
      check: () => this.#check(target, config ?? own),
    };
  }

  async #check(target: Target, config: SourceConfig | null): Promise<SourceHealth> {
    const connector = await this.#connectors.create(target, {
      config,
      tree: null,
      isTemporary: true,
    });
    try {
      return await connector.check(this.#signal);
    } finally {
      await this.#connectors.release(connector);
    }
  }
}
