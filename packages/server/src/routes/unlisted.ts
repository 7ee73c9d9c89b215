import { llms } from './llms.js';
import { pages } from './pages.js';
import type { Route } from './route.js';

/** The routes that are not part of the API: pages for browsers and the description for agents. */
export const unlistedRoutes: readonly Route[] = [...pages, llms];
