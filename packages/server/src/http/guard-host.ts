import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';
import { isLoopback, type HostAddress } from '../config/bind.js';

/**
 * Refuses requests with a foreign `Host` if the loopback address is the only protection. A web page could
 * otherwise reach the server through a host name that resolves to this machine (DNS rebinding).
 */
export function guardHost(auth: Auth, bind: HostAddress): Middleware {
  if (auth.mode !== 'open' || !isLoopback(bind.host)) return (_ctx, next) => next();
  return async (ctx, next) => {
    if (!isLoopback(hostName(ctx.req.headers.host ?? ''))) {
      throw new TroveError('host_not_allowed', 'header.host: must be a name of this machine');
    }
    await next();
  };
}

function hostName(header: string): string {
  return header.replace(/:\d+$/, '');
}
