import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { maxHosts, type WebSource } from './source.js';
import { folderNameOf, SourceHost, hostsFolder } from './host.js';
import { Site, siteKey } from './site.js';
import type { WebContext } from './site-client.js';

/** The hosts of a source: hosts of its target or start URLs, and hosts that pages link to. */
export class SourceHosts {
  readonly startHosts: readonly SourceHost[];
  readonly #context: WebContext;
  readonly #source: WebSource;
  readonly #folder: string;
  /** Linked hosts by label. */
  readonly #linked = new Map<string, SourceHost>();

  constructor(context: WebContext, source: WebSource, folder: string) {
    this.#context = context;
    this.#source = source;
    this.#folder = folder;
    this.startHosts = source.startHosts.map(
      (each) => new SourceHost(context, folder, { ...each, isStart: true }),
    );
  }

  /** Whether an address belongs to the source. */
  includes(address: URL): boolean {
    const { domains } = this.#source;
    return (
      domains?.has(address) === true ||
      this.startHosts.some(({ site }) => site.normalize(address) !== null)
    );
  }

  /** The host of any address of the source; null for other addresses. */
  hostOf(address: URL): SourceHost | null {
    const start = this.startHosts.find(({ site }) => site.normalize(address) !== null);
    return start ?? this.linkedHost(address);
  }

  /** The host of a linked address; null if it is given or does not belong to the source. */
  linkedHost(address: URL): SourceHost | null {
    const label = this.#source.domains?.labelOf(address) ?? null;
    if (label === null || this.startHosts.some((each) => each.label === label)) return null;
    const known = this.#linked.get(label);
    if (known !== undefined && siteKey(known.site.root) === siteKey(address)) return known;
    const site = Site.onHost([address], { isWhole: true });
    const host = new SourceHost(this.#context, this.#folder, { label, site, isStart: false });
    this.#linked.set(label, host);
    const [oldest] = this.#linked.keys();
    if (this.#linked.size > maxHosts && oldest !== undefined) this.#linked.delete(oldest);
    return host;
  }

  /** The host at a path of the tree and the rest of the path; null without a host. */
  async resolve(
    path: string,
  ): Promise<{ readonly host: SourceHost; readonly rest: string } | null> {
    const [only] = this.startHosts;
    if (only?.label === null) return { host: only, rest: path };
    const end = path.indexOf('/');
    if (end <= 0 || end === path.length - 1) return null;
    const label = path.slice(0, end);
    const host =
      this.startHosts.find((each) => each.label === label) ?? (await this.#knownHost(label));
    return host === null ? null : { host, rest: path.slice(end + 1) };
  }

  /** Deletes the stored pages of hosts outside a complete listing. */
  async deleteOthers(hosts: Iterable<SourceHost>): Promise<void> {
    const folder = join(this.#folder, hostsFolder);
    const kept = new Set(Array.from(hosts, ({ label }) => folderNameOf(label ?? '')));
    for (const name of await readdir(folder).catch(() => [])) {
      if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  /** A linked host from an earlier listing on this machine, or one that the configuration names exactly. */
  async #knownHost(label: string): Promise<SourceHost | null> {
    const known = this.#linked.get(label);
    if (known !== undefined) return known;
    for (const scheme of ['https', 'http']) {
      const address = URL.canParse(`${scheme}://${label}/`)
        ? new URL(`${scheme}://${label}/`)
        : null;
      if (address === null || address.pathname !== '/' || address.username !== '') continue;
      if (this.#source.domains?.labelOf(address) !== label) continue;
      const site = Site.onHost([address], { isWhole: true });
      const host = new SourceHost(this.#context, this.#folder, { label, site, isStart: false });
      const { origin } = await host.state.load();
      // Pages may link to any port of a host. Ports unknown to earlier listings are not requested.
      if (origin !== null || this.#source.domains.names(address)) return host;
    }
    return null;
  }
}
