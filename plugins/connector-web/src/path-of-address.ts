import { isLikelyDocument } from './address-kinds.js';
import type { SourceHost } from './host.js';
import { pathsOf } from './paths.js';

/** Returns the path of the page or document at an address of a host in the tree of its source, or null. */
export async function pathOfAddress(address: URL, host: SourceHost): Promise<string | null> {
  const { site, exact } = await host.current();
  const own = site.normalize(address);
  if (own === null) return null;
  if (site.isSingleFile) return host.pathOf('');
  for (const variant of variantsOf(own)) {
    if ((await host.pages.load(variant)) === null) continue;
    const [usual, unique] = pathsOf(variant, site.root, 'text/html');
    return host.pathOf(exact.includes(variant.href) ? unique : usual);
  }
  const [usual] = pathsOf(own, site.root, isLikelyDocument(own) ? '' : 'text/html');
  return host.pathOf(usual);
}

/** Addresses that servers often use for the same page: with and without a slash at the end. */
function variantsOf(address: URL): URL[] {
  if (address.search !== '') return [address];
  const other = new URL(address);
  other.pathname = address.pathname.endsWith('/')
    ? address.pathname.replace(/\/+$/, '')
    : `${address.pathname}/`;
  return [address, other];
}
