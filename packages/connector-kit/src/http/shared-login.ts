import type { LoginLimitState } from '@trove/core';

import { LoginLimits } from './limits.js';
import { AccessTokens } from './login/access-tokens.js';
import type { Limits } from './description/index.js';

/** What all sources with the same login share in this process. */
export interface SharedLogin {
  readonly limits: LoginLimits;
  readonly tokens: AccessTokens;
}

interface Shared {
  readonly limits: LoginLimits;
  /** By the user that the tokens are for. */
  readonly tokens: Map<string, AccessTokens>;
  users: number;
}

const sharedLogins = new Map<string, Shared>();

/**
 * Returns the shared part of a login. Call `release` when the source closes. The last release frees it. `identity`: what decides
 * whose access tokens the login gets. Sources that differ in it share only the limits.
 */
export function acquireLogin(
  {
    name,
    identity,
    origin,
  }: { readonly name: string; readonly identity: string; readonly origin: string },
  limits: Limits,
  state: LoginLimitState | undefined,
): { readonly shared: SharedLogin; release(): void } {
  const shared: Shared = sharedLogins.get(name) ?? {
    limits: new LoginLimits(limits, origin, state),
    tokens: new Map(),
    users: 0,
  };
  sharedLogins.set(name, shared);
  shared.users++;
  const tokens = shared.tokens.get(identity) ?? new AccessTokens();
  shared.tokens.set(identity, tokens);
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    if (--shared.users === 0) sharedLogins.delete(name);
  };
  return { shared: { limits: shared.limits, tokens }, release };
}
