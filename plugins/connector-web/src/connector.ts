import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeError,
  isTroveError,
  type Connector,
  type Content,
  type Entry,
  type Health,
  type ListRequest,
} from '@trove/core';

import { parseAddress } from './address.js';
import { findSite, isReadable, type ReachableSite } from './site-search.js';
import type { SourceHost } from './host.js';
import { SourceHosts } from './hosts.js';
import { isLikelyDocument } from './address-kinds.js';
import { WebListing } from './listing.js';
import { pathOfAddress } from './path-of-address.js';
import { readPath } from './read.js';
import { readSitemaps } from './sitemaps.js';
import { sourceOf, type WebSource } from './source.js';
import type { WebContext } from './site-client.js';

/** Shorter than the engine's limit of ten seconds, because this error names the host. */
const checkTimeoutMs = 8000;
/** A check sends few requests but would not have enough time with a long `delay_ms`. */
const maxCheckDelayMs = 200;
/** The number of start addresses per host that a check visits. */
const maxCheckedStarts = 5;

/** Creates a source of the pages of one site or of several hosts. */
export function createWebConnector(context: WebContext): Connector {
  return new WebConnector(context, sourceOf(context));
}

class WebConnector implements Connector {
  readonly #context: WebContext;
  readonly #source: WebSource;
  #hosts: SourceHosts | null = null;
  /** The temporary folder of a source without its own folder. Deleted when the connector is closed. */
  #temporary: Promise<string> | null = null;

  constructor(context: WebContext, source: WebSource) {
    this.#context = context;
    this.#source = source;
  }

  async *list(request: ListRequest): AsyncGenerator<Entry, void, undefined> {
    yield* new WebListing(this.#context, await this.#open(), request).entries();
  }

  async read(path: string, { signal }: { readonly signal: AbortSignal }): Promise<Content> {
    const context = this.#context;
    const found = await (await this.#open()).resolve(path);
    if (found === null)
      throw context.error('not_found', `There is nothing at "${path.slice(0, 200)}".`);
    const { host, rest } = found;
    const { site, exact } = await host.current();
    const { pages, client } = host;
    return readPath(rest, { context, site, pages, exact, client, signal });
  }

  async pathOf(text: string): Promise<string | null> {
    const address = parseAddress(text);
    if (address === null) return null;
    if (!this.#context.config.query_strings) address.search = '';
    const host = (await this.#open()).hostOf(address);
    return host === null ? null : pathOfAddress(address, host);
  }

  async check({ signal }: { readonly signal: AbortSignal }): Promise<Health> {
    const { config } = this.#context;
    const delay = Math.min(config.delay_ms, maxCheckDelayMs);
    const context = { ...this.#context, config: { ...config, delay_ms: delay } };
    const hosts = new SourceHosts(context, this.#source, await this.#folder());
    const timeout = AbortSignal.timeout(checkTimeoutMs);
    const stop = AbortSignal.any([signal, timeout]);
    const isInSource = (address: URL): boolean => hosts.includes(address);
    const options = { context, isInSource, maxStarts: maxCheckedStarts, signal: stop };
    const checks = hosts.startHosts.map(async (host): Promise<Health> => {
      try {
        return await judgeHost(host, await findSite(host, options), stop);
      } catch (error) {
        signal.throwIfAborted();
        if (timeout.aborted) {
          const seconds = checkTimeoutMs / 1000;
          const detail = `${host.site.root.host} did not answer within ${seconds} seconds. Check the address and the network.`;
          return { ok: false, detail };
        }
        if (!isTroveError(error)) throw error;
        return { ok: false, detail: describeError(error) };
      }
    });
    return combineHealth(await Promise.all(checks));
  }

  async close(): Promise<void> {
    const folder = await this.#temporary?.catch(() => null);
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true });
  }

  async #open(): Promise<SourceHosts> {
    const folder = await this.#folder();
    this.#hosts ??= new SourceHosts(this.#context, this.#source, folder);
    return this.#hosts;
  }

  async #folder(): Promise<string> {
    const { cacheFolder } = this.#context;
    if (cacheFolder !== undefined) return cacheFolder;
    this.#temporary ??= mkdtemp(join(tmpdir(), 'trove-web-'));
    this.#temporary.catch(() => (this.#temporary = null));
    return this.#temporary;
  }
}

/** A source with several hosts is healthy if one of them answers. A listing reports the others. */
function combineHealth(healths: readonly Health[]): Health {
  const [only, ...others] = healths;
  if (only !== undefined && others.length === 0) return only;
  const failed = healths.filter(({ ok }) => !ok);
  const answer = healths.length - failed.length;
  const summary = `${answer} of ${healths.length} hosts can be read.`;
  const details = failed.map(({ detail }) => detail);
  return { ok: answer > 0, detail: [summary, ...details].join(' ') };
}

/** Whether the site has a readable start page. */
async function judgeHost(
  { client, isNamed }: SourceHost,
  found: ReachableSite,
  signal: AbortSignal,
): Promise<Health> {
  const { site, robots, startPages, elsewhere, problems } = found;
  const { href } = site.root;
  const [first] = startPages;
  const withProblems = (sentence: string): Health => ({
    ok: true,
    detail: [sentence, ...problems.map(describeError)].join(' '),
  });
  if (site.isSingleFile && first !== undefined)
    return { ok: true, detail: `${href} can be read. It is one page or document.` };
  const page = startPages.find(isReadable);
  if (page !== undefined)
    return withProblems(`The site answers. It begins at ${page.address.href}.`);
  const document = startPages.find(({ address }) => isNamed && isLikelyDocument(address));
  if (document !== undefined) return withProblems(`${document.address.href} can be read.`);
  const [other] = elsewhere;
  if (other !== undefined) return withProblems(`${href} leads to ${other.href}.`);
  const mapped = readSitemaps(site, client, robots.sitemaps, () => undefined, signal);
  for await (const { address } of mapped) {
    if (site.normalize(address) !== null)
      return withProblems('The site answers. Its sitemap names its pages.');
  }
  const start = site.starts[0]?.href ?? href;
  return first === undefined
    ? {
        ok: false,
        detail: `There is no page at ${start}, and no sitemap names a page below it. Check the address in a browser.`,
      }
    : {
        ok: false,
        detail: `${start} is not a page (it is ${first.mediaType || 'of an unknown type'}). Give the address of a page that links to others.`,
      };
}
