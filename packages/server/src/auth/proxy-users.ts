import { BlockList, isIP, isIPv6 } from 'node:net';
import { TroveError } from '@trove/core';
import type { Access, Caller, Trove } from 'trove';

/** How a proxy in front of the server names its users. */
export interface ProxyAccess {
  /** The header with the name of the user, in lower case. */
  readonly header: string;
  /** Addresses (`127.0.0.1`) and networks (`10.0.0.0/8`) of proxies. */
  readonly trustedProxies: readonly string[];
  /** By name. `*` is every other user. */
  readonly users: Readonly<Record<string, Access>>;
}

/** The part of a request that names its user. */
export interface ProxiedRequest {
  /** The address of the other end of the connection. */
  readonly address: string | undefined;
  /** Returns a header, or ''. */
  header(name: string): string;
}

const anyUser = '*';

/** Finds the users that a trusted proxy has authenticated. */
export class ProxyUsers {
  readonly #header: string;
  readonly #proxies: BlockList;
  readonly #users: ReadonlyMap<string, Access>;

  private constructor(header: string, proxies: BlockList, users: ReadonlyMap<string, Access>) {
    this.#header = header;
    this.#proxies = proxies;
    this.#users = users;
  }

  /** Throws `config_invalid` for an invalid address, and `validation_error` for an invalid path. */
  static async create(
    { header, trustedProxies, users }: ProxyAccess,
    engine: Pick<Trove, 'canonicalUris'>,
  ): Promise<ProxyUsers> {
    const proxies = new BlockList();
    for (const proxy of trustedProxies) addProxy(proxies, proxy);
    const entries = await Promise.all(
      Object.entries(users).map(async ([name, { rights, paths }]): Promise<[string, Access]> => {
        const uris = paths === null ? null : await engine.canonicalUris(paths);
        return [name, { rights, paths: uris }];
      }),
    );
    return new ProxyUsers(header, proxies, new Map(entries));
  }

  /** Returns null unless a trusted proxy names a user. Throws `forbidden` for a user without access. */
  find(request: ProxiedRequest): Caller | null {
    if (!this.#isTrusted(request.address)) return null;
    const name = request.header(this.#header).trim();
    if (name === '') return null;
    const access = this.#users.get(name) ?? this.#users.get(anyUser);
    // `*` is the entry for all other users, not a name.
    if (access === undefined || name === anyUser) {
      throw new TroveError('forbidden', 'This user has no access to the server', {
        suggestions: ['Add the user to `[access.users]` in server.toml.'],
      });
    }
    return { name: `user ${name}`, access };
  }

  #isTrusted(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    return isIP(plain) !== 0 && this.#proxies.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }
}

function addProxy(proxies: BlockList, text: string): void {
  const [address = '', length, ...rest] = text.split('/');
  const type = isIPv6(address) ? 'ipv6' : 'ipv4';
  try {
    if (isIP(address) === 0 || rest.length > 0) throw new Error('not an address');
    if (length === undefined) proxies.addAddress(address, type);
    else proxies.addSubnet(address, prefixOf(length), type);
  } catch {
    throw new TroveError(
      'config_invalid',
      `access.trusted_proxies: ${JSON.stringify(text.slice(0, 100))} is not an address or a network`,
      { suggestions: ['Write an address such as 127.0.0.1, or a network such as 10.0.0.0/8.'] },
    );
  }
}

function prefixOf(length: string): number {
  if (!/^\d{1,3}$/.test(length)) throw new Error('not a number');
  return Number(length);
}
