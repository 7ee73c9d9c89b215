import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { CrawlState } from './crawl-state.js';
import { KeptPages } from './kept-pages.js';
import type { Site } from './site.js';
import { Web, type Context } from './web.js';

/** The folder of the hosts' folders in the folder of a source with several hosts. */
export const hostsFolder = 'hosts';

export interface HostParts {
  /** The host's folder in the tree; null for the only host of a target such as `https://docs.example.com`. */
  readonly label: string | null;
  readonly site: Site;
  /** Whether the target or a start URL names the host. Only such a host gets the credentials of the source. */
  readonly transferable: boolean;
}

/** A host of a source, with its stored pages. */
export class Host {
  readonly label: string | null;
  readonly site: Site;
  readonly transferable: boolean;
  readonly web: Web;
  readonly pages: KeptPages;
  readonly state: CrawlState;

  /** `folder`: the folder of the source. */
  constructor(context: Context, folder: string, { label, site, transferable }: HostParts) {
    this.label = label;
    this.site = site;
    this.transferable = transferable;
    this.web = new Web(context, { sendsLogin: transferable });
    const own = label === null ? folder : join(folder, hostsFolder, folderName(label));
    this.pages = new KeptPages(own);
    this.state = new CrawlState(own, this.pages);
  }

  /** Whether the source has a name of its own, such as `web://docs`. */
  get isNamed(): boolean {
    return this.label !== null;
  }

  /** The path of an object of the host in the tree of the source. */
  pathOf(path: string): string {
    return this.label === null ? path : `${this.label}/${path}`;
  }
}

export function folderName(label: string): string {
  return createHash('sha256').update(label).digest('hex').slice(0, 40);
}
