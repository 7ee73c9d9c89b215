import type { ConnectorContext } from './connector-context.js';

/**
 * How a person obtains the refresh token of a source with OAuth 2. `trove-server connector login` uses the device flow
 * (`deviceUrl`) or a browser that returns to an address of this machine (`authorizeUrl`).
 */
export interface OAuthLogin {
  /** The setting with the refresh token. The obtained token replaces its value. */
  readonly setting: string;
  readonly tokenUrl: string;
  readonly authorizeUrl?: string;
  readonly deviceUrl?: string;
  readonly client: {
    readonly id: string;
    readonly secret?: string;
    /** Whether id and secret are form fields or the login of the request. Default `form`. */
    readonly send?: 'form' | 'basic';
  };
  readonly scopes: readonly string[];
  /** Further parameters of `authorizeUrl`. */
  readonly params?: Readonly<Record<string, string>>;
  /** A sentence on the client that the service requires, for a refused client. */
  readonly help?: string;
}

/** The argument of a connector's `login`. */
export type LoginContext = Pick<ConnectorContext<unknown>, 'config' | 'target' | 'credentials'>;
