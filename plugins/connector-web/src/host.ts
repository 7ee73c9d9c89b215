import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { CrawlState } from './crawl-state.js';
import { PageStore } from './page-store.js';
import type { Site } from './site.js';
import { SiteClient, type WebContext } from './site-client.js';

/** The folder of the hosts' folders in the folder of a source with several hosts. */
export const hostsFolder = 'hosts';

export interface SourceHostParts {
  /** The host's folder in the tree; null for the only host of a target such as `https://docs.example.com`. */
  readonly label: string | null;
  readonly site: Site;
  /** Whether the target or a start URL names the host. Only such a host gets the credentials of the source. */
  readonly isStart: boolean;
}

/** A host of a source, with its stored pages. */
export class SourceHost {
  readonly label: string | null;
  readonly site: Site;
  readonly isStart: boolean;
  readonly client: SiteClient;
  readonly pages: PageStore;
  readonly state: CrawlState;

  /** `folder`: the folder of the source. */
  constructor(context: WebContext, folder: string, { label, site, isStart }: SourceHostParts) {
    this.label = label;
    this.site = site;
    this.isStart = isStart;
    this.client = new SiteClient(context, { sendsLogin: isStart });
    const own = label === null ? folder : join(folder, hostsFolder, folderNameOf(label));
    this.pages = new PageStore(own);
    this.state = new CrawlState(own, this.pages);
  }

  /** Whether the source has a name of its own, such as `web://docs`. */
  get isNamed(): boolean {
    return this.label !== null;
  }

  /** The site at the origin to which its first page has led, and the addresses with exact paths. */
  async current(): Promise<{ readonly site: Site; readonly exact: readonly string[] }> {
    const { origin, exact } = await this.state.load();
    return { site: origin === null ? this.site : this.site.moveTo(new URL(origin)), exact };
  }

  /** The path of an object of the host in the tree of the source. */
  pathOf(path: string): string {
    return this.label === null ? path : `${this.label}/${path}`;
  }
}

export function folderNameOf(label: string): string {
  return createHash('sha256').update(label).digest('hex').slice(0, 40);
}
