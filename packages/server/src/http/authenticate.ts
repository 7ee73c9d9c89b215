import { TroveError } from '@trove/core';
import { includesRights, type NamedOperation } from '@trove/operations';
import type { Context, Middleware } from 'koa';
import type { Caller } from 'trove';
import type { Callers } from '../auth/callers.js';
import { refuseForeignPage } from './guard-site.js';

export type AccessRequirements = Pick<NamedOperation, 'rights' | 'concernsAllSources'>;

/** Access rules of the route of a request. */
export interface RouteAccess {
  /** Whether the route needs no token. */
  isOpen(ctx: Context): boolean;
  /** What the route requires of its callers. */
  requirementsOf(ctx: Context): AccessRequirements;
}

const callers = new WeakMap<Context, Caller>();

/** Returns the caller of a request. Null for an open route, which no caller needs. */
export function callerOf(ctx: Context): Caller | null {
  return callers.get(ctx) ?? null;
}

/** Refuses requests of unknown callers, and of callers without the rights of the route. Open routes need no token. */
export function authenticate(
  known: Callers,
  route: RouteAccess,
  corsOrigins: readonly string[],
): Middleware {
  const listed = new Set(corsOrigins);
  return async (ctx, next) => {
    if (!route.isOpen(ctx)) {
      const caller = await known.find({
        bearer: bearerOf(ctx.get('authorization')),
        address: ctx.req.socket.remoteAddress,
        header: (name) => ctx.get(name),
      });
      if (caller === null)
        throw new TroveError('unauthorized', 'The bearer token is missing or wrong');
      // Browsers send the login of a proxy with requests from any site.
      if (caller.isProxied) refuseForeignPage(ctx, listed);
      assertMayUse(caller, route.requirementsOf(ctx));
      callers.set(ctx, caller);
    }
    await next();
  };
}

function assertMayUse(
  { access: { rights, paths } }: Caller,
  { rights: required, concernsAllSources }: AccessRequirements,
): void {
  if (!includesRights(rights, required)) {
    throw new TroveError(
      'forbidden',
      `The operation needs the right \`${required}\`, and the token has only \`${rights}\``,
    );
  }
  if (concernsAllSources === true && paths !== null) {
    throw new TroveError('forbidden', 'The operation needs a token that sees all sources');
  }
}

function bearerOf(header: string): string {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
