import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';
import { isLoopback, type HostAddress } from '../config/bind.js';

/**
 * Where the loopback address is the server's only protection, a web page could reach it by a host name of its own that
 * resolves to this machine (DNS rebinding). Such requests carry that name in `Host` and are refused.
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
