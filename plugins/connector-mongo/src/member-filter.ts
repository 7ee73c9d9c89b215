import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkOf, type Network } from '@trove/core/provider';

/** MongoDB's limit for a replica set. */
const maxMembers = 50;
/** Higher is closer to this machine. Members in other kinds of networks are refused unless the named host is in one. */
const closeness: Readonly<Partial<Record<Network, number>>> = {
  public: 0,
  private: 1,
  loopback: 2,
};
const memberLists = ['hosts', 'passives', 'arbiters'] as const;

/**
 * Filters the members that a server reports for its replica set. A hostile server could report any address that this
 * machine can reach. Only members no closer to this machine than the named hosts are therefore allowed.
 */
export class MemberFilter {
  readonly #namedHosts: () => readonly string[];
  readonly #networks = new Set<Network>(['public']);

  /** `namedHosts` returns the hosts of the configuration and, after an SRV lookup, their DNS records. */
  constructor(namedHosts: () => readonly string[]) {
    this.#namedHosts = namedHosts;
  }

  /** Removes refused members from a reply to `hello`, before the driver connects to them. */
  filter(hello: unknown): void {
    for (const name of memberLists) {
      const value: unknown = Reflect.get(Object(hello), name);
      if (value === undefined) continue;
      const members: readonly unknown[] = Array.isArray(value) ? value : [];
      const allowed = members.filter((each) => typeof each === 'string' && this.#allows(each));
      Reflect.set(Object(hello), name, allowed.slice(0, maxMembers));
    }
  }

  /** Resolves a host name. Fails for a reported host if any of its addresses is refused. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined)
        return done(error ?? new Error(`${hostname} has no address`), '');
      const networks = addresses.map(({ address }) => networkOf(address));
      if (this.#isNamed(hostname)) {
        for (const network of networks) this.#networks.add(network);
      } else if (!networks.every((network) => this.#allowsNetwork(network))) {
        return done(new Error(`${hostname} is in another network than the server`), '');
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

  /** Allows every host name: `lookup` checks its addresses later. */
  #allows(member: string): boolean {
    const host = member.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    return this.#isNamed(host) || isIP(host) === 0 || this.#allowsNetwork(networkOf(host));
  }

  #isNamed(host: string): boolean {
    return this.#namedHosts().some((each) => each.toLowerCase() === host.toLowerCase());
  }

  #allowsNetwork(network: Network): boolean {
    const addresses = this.#namedHosts().filter((host) => isIP(host) !== 0);
    const networks = [...this.#networks, ...addresses.map(networkOf)];
    const closest = Math.max(...networks.map((each) => closeness[each] ?? 0));
    return networks.includes(network) || (closeness[network] ?? Infinity) <= closest;
  }
}
