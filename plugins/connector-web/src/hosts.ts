import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { maxHosts, type Source } from './source.js';
import { folderName, Host, hostsFolder } from './host.js';
import { Site, siteKey } from './site.js';
import type { Context } from './web.js';

/** The hosts of a source: hosts of its target or start URLs, and hosts that pages link to. */
export class Hosts {
  readonly given: readonly Host[];
  readonly #context: Context;
  readonly #source: Source;
  readonly #folder: string;
  /** Linked hosts by label. */
  readonly #linked = new Map<string, Host>();

  constructor(context: Context, source: Source, folder: string) {
    this.#context = context;
    this.#source = source;
    this.#folder = folder;
    this.given = source.given.map(
      (each) => new Host(context, folder, { ...each, transferable: true }),
    );
  }

  /** Whether an address belongs to the source. */
  takes(address: URL): boolean {
    const { domains } = this.#source;
    return (
      domains?.has(address) === true || this.given.some(({ site }) => site.own(address) !== null)
    );
  }

  /** The host of a linked address; null if it is given or does not belong to the source. */
  linked(address: URL): Host | null {
    const label = this.#source.domains?.labelOf(address) ?? null;
    if (label === null || this.given.some((each) => each.label === label)) return null;
    const known = this.#linked.get(label);
    if (known !== undefined && siteKey(known.site.root) === siteKey(address)) return known;
    const site = Site.onHost([address], { isWhole: true });
    const host = new Host(this.#context, this.#folder, { label, site, transferable: false });
    this.#linked.set(label, host);
    const [oldest] = this.#linked.keys();
    if (this.#linked.size > maxHosts && oldest !== undefined) this.#linked.delete(oldest);
    return host;
  }

  /** The host at a path of the tree and the rest of the path; null without a host. */
  async at(path: string): Promise<{ readonly host: Host; readonly rest: string } | null> {
    const [only] = this.given;
    if (only?.label === null) return { host: only, rest: path };
    const end = path.indexOf('/');
    if (end <= 0 || end === path.length - 1) return null;
    const label = path.slice(0, end);
    const host = this.given.find((each) => each.label === label) ?? (await this.#met(label));
    return host === null ? null : { host, rest: path.slice(end + 1) };
  }

  /** Deletes the stored pages of hosts outside a complete listing. */
  async forgetOthers(met: Iterable<Host>): Promise<void> {
    const folder = join(this.#folder, hostsFolder);
    const wanted = new Set(Array.from(met, ({ label }) => folderName(label ?? '')));
    for (const name of await readdir(folder).catch(() => [])) {
      if (!wanted.has(name)) await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  /** A linked host from an earlier listing on this machine, or one that the configuration names exactly. */
  async #met(label: string): Promise<Host | null> {
    const known = this.#linked.get(label);
    if (known !== undefined) return known;
    for (const scheme of ['https', 'http']) {
      const address = URL.canParse(`${scheme}://${label}/`)
        ? new URL(`${scheme}://${label}/`)
        : null;
      if (address === null || address.pathname !== '/' || address.username !== '') continue;
      if (this.#source.domains?.labelOf(address) !== label) continue;
      const site = Site.onHost([address], { isWhole: true });
      const host = new Host(this.#context, this.#folder, { label, site, transferable: false });
      const { origin } = await host.state.load();
      // Pages may link to any port of a host. Ports unknown to earlier listings are not requested.
      if (origin !== null || this.#source.domains.names(address)) return host;
    }
    return null;
  }
}
