import { TroveError } from '@trove/core';
import { includesRights, type Rights } from '@trove/operations';
import type { Context, Middleware } from 'koa';
import type { Caller } from 'trove';
import type { Callers } from '../auth/callers.js';

/** Access rules of the route of a request. */
export interface RouteAccess {
  /** Whether the route needs no token. */
  isOpen(ctx: Context): boolean;
  /** The rights that the route requires. */
  rightsFor(ctx: Context): Rights;
}

const callers = new WeakMap<Context, Caller>();

/** Returns the caller of a request. Null for an open route, which no caller needs. */
export function callerOf(ctx: Context): Caller | null {
  return callers.get(ctx) ?? null;
}

/** Refuses requests of unknown callers, and of callers without the rights of the route. Open routes need no token. */
export function authenticate(known: Callers, route: RouteAccess): Middleware {
  return async (ctx, next) => {
    if (!route.isOpen(ctx)) {
      const caller = await known.find(bearerOf(ctx.get('authorization')));
      if (caller === null)
        throw new TroveError('unauthorized', 'The bearer token is missing or wrong');
      assertRights(caller, route.rightsFor(ctx));
      callers.set(ctx, caller);
    }
    await next();
  };
}

function assertRights({ access: { rights } }: Caller, required: Rights): void {
  if (includesRights(rights, required)) return;
  throw new TroveError(
    'forbidden',
    `The operation needs the right \`${required}\`, and the token has only \`${rights}\``,
  );
}

function bearerOf(header: string): string {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
