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

interface IdentifiedCaller {
  readonly caller: Caller;
  readonly confirm: () => Promise<void>;
}

const callers = new WeakMap<Context, IdentifiedCaller>();

/** Returns the caller of a request. Null for an open route, which no caller needs. */
export function callerOf(ctx: Context): Caller | null {
  return callers.get(ctx)?.caller ?? null;
}

/** Throws `unauthorized` if the token of a request in progress was revoked or has ended. */
export async function confirmCaller(ctx: Context): Promise<void> {
  await callers.get(ctx)?.confirm();
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
      const request = {
        bearer: bearerOf(ctx.get('authorization')),
        address: ctx.req.socket.remoteAddress,
        header: (name: string) => ctx.get(name),
      };
      const caller = await known.find(request);
      if (caller === null)
        throw new TroveError('unauthorized', 'The bearer token is missing or wrong');
      // Browsers send the login of a proxy with requests from any site.
      if (caller.isProxied) refuseForeignPage(ctx, listed);
      assertMayUse(caller, route.requirementsOf(ctx));
      const confirm = async (): Promise<void> => {
        if (caller.isRevocable && (await known.find(request)) === null)
          throw new TroveError('unauthorized', 'The token was revoked or has ended');
      };
      callers.set(ctx, { caller, confirm });
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
