import type { GraphRouteOptions } from './table.js';
import { llmsRoute } from './llms.js';
import { pages } from './pages.js';
import type { Route } from './route.js';

/** Returns the routes that are not part of the API: pages for browsers and the description for agents. */
export function unlistedRoutes({ base }: Pick<GraphRouteOptions, 'base'>): readonly Route[] {
  return [...pages, llmsRoute(base)];
}
