import type { Auth } from '../auth/auth.js';
import type { GraphRouteOptions } from './table.js';
import { llmsRoute } from './llms.js';
import { pages } from './pages.js';
import type { Route } from './route.js';
import { signInRoutes } from './sign-in.js';

interface UnlistedRouteOptions extends Pick<GraphRouteOptions, 'base'> {
  readonly auth: Auth;
}

/** Returns the routes that are not part of the API: pages for browsers and the description for agents. */
export function unlistedRoutes({ base, auth }: UnlistedRouteOptions): readonly Route[] {
  return [...pages, ...signInRoutes(auth), llmsRoute(base)];
}
