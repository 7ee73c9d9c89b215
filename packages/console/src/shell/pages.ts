import type { ComponentType } from 'preact';
import { AccessPage } from '../access/access-page.js';
import { GraphsPage } from '../graphs/graphs-page.js';
import { HealthPage } from '../health/health-page.js';
import { ActivityPage } from '../jobs/activity-page.js';
import { ReadPage } from '../read/read-page.js';
import { SearchPage } from '../search/search-page.js';
import { SourcePage } from '../sources/source-page.js';
import { SourcesPage } from '../sources/sources-page.js';

export interface PageProps {
  /** The parameters of the address. */
  readonly params: URLSearchParams;
}

interface ConsolePage {
  /** The path in the fragment of the address. */
  readonly path: string;
  readonly title: string;
  readonly Page: ComponentType<PageProps>;
}

/** The pages in the order of the menu. */
export const pages: readonly ConsolePage[] = [
  { path: 'search', title: 'Search', Page: SearchPage },
  { path: 'read', title: 'Read', Page: ReadPage },
  { path: 'sources', title: 'Sources', Page: SourcesPage },
  { path: 'activity', title: 'Activity', Page: ActivityPage },
  { path: 'graphs', title: 'Graphs', Page: GraphsPage },
  { path: 'access', title: 'Access', Page: AccessPage },
  { path: 'health', title: 'Health', Page: HealthPage },
];

/** Pages that other pages link to. */
const inner: readonly ConsolePage[] = [{ path: 'source', title: 'Source', Page: SourcePage }];

export function pageOf(path: string): ConsolePage | undefined {
  return [...pages, ...inner].find((page) => page.path === path);
}
