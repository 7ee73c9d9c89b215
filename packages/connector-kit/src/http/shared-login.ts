import type { LoginLimitState } from '@trove/core';

import { LoginLimits } from './limits.js';
import { AccessTokens } from './login/access-tokens.js';
import type { Limits } from './description/index.js';

/** What all sources with the same login share in this process. */
export interface SharedLogin {
  readonly limits: LoginLimits;
  readonly tokens: AccessTokens;
}

interface Shared extends SharedLogin {
  users: number;
}

const sharedLogins = new Map<string, Shared>();

/** Returns the shared part of a login. Call `release` when the source closes. The last release frees it. */
export function acquireLogin(
  name: string,
  origin: string,
  limits: Limits,
  state: LoginLimitState | undefined,
): { readonly shared: SharedLogin; release(): void } {
  const shared = sharedLogins.get(name) ?? {
    limits: new LoginLimits(limits, origin, state),
    tokens: new AccessTokens(),
    users: 0,
  };
  sharedLogins.set(name, shared);
  shared.users++;
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    if (--shared.users === 0) sharedLogins.delete(name);
  };
  return { shared, release };
}
