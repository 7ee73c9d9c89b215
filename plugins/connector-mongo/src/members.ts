import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkOf, type Network } from '@trove/core/provider';

/** The largest replica set that MongoDB knows. */
const mostMembers = 50;
/** How close a network is to this machine. Nobody has servers in the others. */
const closeness: Readonly<Partial<Record<Network, number>>> = {
  public: 0,
  private: 1,
  loopback: 2,
};
const lists = ['hosts', 'passives', 'arbiters'] as const;

/**
 * Decides which members of a replica set are spoken to. The server names them, and might name anything that this machine
 * can reach: only those are taken that are no closer to it than the hosts that people named.
 */
export class Members {
  readonly #named: () => readonly string[];
  readonly #networks = new Set<Network>(['public']);

  /** `named`: the hosts that people named, and those that DNS has for them, as they are known by now. */
  constructor(named: () => readonly string[]) {
    this.#named = named;
  }

  /** Takes out of an answer to `hello` what must not be connected to. The driver acts on it next. */
  keepAdmitted(hello: unknown): void {
    for (const name of lists) {
      const given: unknown = Reflect.get(Object(hello), name);
      if (given === undefined) continue;
      const all: readonly unknown[] = Array.isArray(given) ? given : [];
      const kept = all.filter((each) => typeof each === 'string' && this.#mayBeAsked(each));
      Reflect.set(Object(hello), name, kept.slice(0, mostMembers));
    }
  }

  /** Finds the addresses of a host. Those of one that the server named fail if any of them must not be connected to. */
  readonly lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined)
        return done(error ?? new Error(`${hostname} has no address`), '');
      const networks = addresses.map(({ address }) => networkOf(address));
      if (this.#isNamed(hostname)) {
        for (const network of networks) this.#networks.add(network);
      } else if (!networks.every((network) => this.#admits(network))) {
        return done(new Error(`${hostname} is in another network than the server`), '');
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };

  /** Names are looked up when they are connected to. */
  #mayBeAsked(member: string): boolean {
    const host = member.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    return this.#isNamed(host) || isIP(host) === 0 || this.#admits(networkOf(host));
  }

  #isNamed(host: string): boolean {
    return this.#named().some((each) => each.toLowerCase() === host.toLowerCase());
  }

  #admits(network: Network): boolean {
    const addresses = this.#named().filter((host) => isIP(host) !== 0);
    const networks = [...this.#networks, ...addresses.map(networkOf)];
    const closest = Math.max(...networks.map((each) => closeness[each] ?? 0));
    return networks.includes(network) || (closeness[network] ?? Infinity) <= closest;
  }
}
