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

import { findSite, isReadable, type ReachableSite } from './site-search.js';
import type { SourceHost } from './host.js';
import { SourceHosts } from './hosts.js';
import { isLikelyDocument } from './address-kinds.js';
import { WebListing } from './listing.js';
import { readPath } from './read.js';
import { readSitemaps } from './sitemaps.js';
import { sourceOf, type WebSource } from './source.js';
import type { WebContext } from './site-client.js';

/** The engine waits for ten seconds, and would not know what for. */
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
  /** Where nothing is to be kept, until the connector is closed. */
  #temporary: Promise<string> | null = null;

  constructor(context: WebContext, source: WebSource) {
    this.#context = context;
    this.#source = source;
  }

  async *list(request: ListRequest): AsyncGenerator<Entry, void, undefined> {
    yield* new WebListing(this.#context, await this.#opened(), request).entries();
  }

  async read(path: string, { signal }: { readonly signal: AbortSignal }): Promise<Content> {
    const context = this.#context;
    const found = await (await this.#opened()).resolve(path);
    if (found === null)
      throw context.error('not_found', `There is nothing at "${path.slice(0, 200)}".`);
    const { host, rest } = found;
    const { origin, exact } = await host.state.load();
    const site = origin === null ? host.site : host.site.moveTo(new URL(origin));
    const { pages, client: web } = host;
    return readPath(rest, { context, site, pages, exact, client: web, signal });
  }

  async check({ signal }: { readonly signal: AbortSignal }): Promise<Health> {
    const { config } = this.#context;
    const delay = Math.min(config.delay_ms, maxCheckDelayMs);
    const context = { ...this.#context, config: { ...config, delay_ms: delay } };
    const hosts = new SourceHosts(context, this.#source, await this.#folder());
    const late = AbortSignal.timeout(checkTimeoutMs);
    const until = AbortSignal.any([signal, late]);
    const isInSource = (address: URL): boolean => hosts.includes(address);
    const options = { context, isInSource, maxStarts: maxCheckedStarts, signal: until };
    const checks = hosts.startHosts.map(async (host): Promise<Health> => {
      try {
        return await judgeHost(host, await findSite(host, options), until);
      } catch (problem) {
        signal.throwIfAborted();
        if (late.aborted) {
          const seconds = checkTimeoutMs / 1000;
          const detail = `${host.site.root.host} did not answer within ${seconds} seconds. Check the address, and the network.`;
          return { ok: false, detail };
        }
        if (!isTroveError(problem)) throw problem;
        return { ok: false, detail: describeError(problem) };
      }
    });
    return combineHealth(await Promise.all(checks));
  }

  async close(): Promise<void> {
    const folder = await this.#temporary?.catch(() => null);
    if (typeof folder === 'string') await rm(folder, { recursive: true, force: true });
  }

  async #opened(): Promise<SourceHosts> {
    const folder = await this.#folder();
    this.#hosts ??= new SourceHosts(this.#context, this.#source, folder);
    return this.#hosts;
  }

  async #folder(): Promise<string> {
    const { cacheFolder: folder } = this.#context;
    if (folder !== undefined) return folder;
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
  { client: web, isNamed }: SourceHost,
  found: ReachableSite,
  signal: AbortSignal,
): Promise<Health> {
  const { site, robots, startPages: firsts, elsewhere, problems } = found;
  const { href } = site.root;
  const [first] = firsts;
  const withProblems = (sentence: string): Health => ({
    ok: true,
    detail: [sentence, ...problems.map(describeError)].join(' '),
  });
  if (site.isSingleFile && first !== undefined)
    return { ok: true, detail: `${href} can be read: it is one page or document.` };
  const page = firsts.find(isReadable);
  if (page !== undefined)
    return withProblems(`The site answers; it begins at ${page.address.href}.`);
  const document = firsts.find(({ address }) => isNamed && isLikelyDocument(address));
  if (document !== undefined) return withProblems(`${document.address.href} can be read.`);
  const [other] = elsewhere;
  if (other !== undefined) return withProblems(`${href} leads to ${other.href}.`);
  const mapped = readSitemaps(site, web, robots.sitemaps, () => undefined, signal);
  for await (const { address } of mapped) {
    if (site.normalize(address) !== null)
      return withProblems('The site answers; its sitemap names its pages.');
  }
  const place = site.starts[0]?.href ?? href;
  return first === undefined
    ? {
        ok: false,
        detail: `There is no page at ${place}, and no sitemap that names any below it. Check the address in a browser.`,
      }
    : {
        ok: false,
        detail: `${place} is no page (it is ${first.mediaType || 'of an unknown type'}). Give the address of a page that links to others.`,
      };
}
