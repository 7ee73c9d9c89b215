import type { Context } from 'koa';

/** Headers that proxies add. */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
];

/**
 * Returns the server's address as the client used it. Null behind a proxy, which may have another name, scheme and prefix.
 * Any client can send these headers, so their values are not used.
 */
export function originOf(ctx: Pick<Context, 'get' | 'protocol' | 'host'>): string | null {
  const isForwarded = forwardingHeaders.some((name) => ctx.get(name) !== '');
  return isForwarded ? null : `${ctx.protocol}://${ctx.host}`;
}
