import { bareHost, type WebErrorFactory } from './site.js';

const pattern = /^(\[[\da-f:.]+\]|[^\s/:@?#[\]\\*]+)(?::(\d{1,5}))?$/i;

interface Domain {
  readonly hostname: string;
  /** Null for any port. */
  readonly port: number | null;
}

/** The hosts that the configuration allows for a source. */
export class AllowedDomains {
  readonly #domains: readonly Domain[];

  /** Throws `config_invalid` for an entry that is not a host. */
  constructor(entries: readonly string[], error: WebErrorFactory) {
    this.#domains = entries.map((entry) => {
      const domain = domainOf(entry);
      if (domain !== null) return domain;
      throw error(
        'config_invalid',
        `config.allowed_domains: ${entry.slice(0, 200)} is not a host`,
        {
          suggestions: ['Write it like docs.example.com, or docs.example.com:8443.'],
        },
      );
    });
  }

  has(address: URL): boolean {
    return this.#of(address) !== undefined;
  }

  /** The name of an address's host in the tree; null for a host that is not allowed. */
  labelOf(address: URL): string | null {
    const domain = this.#of(address);
    if (domain === undefined) return null;
    return address.port === '' ? domain.hostname : address.host;
  }

  /** Whether an entry names the host, and its port if that is not the usual one. */
  names({ hostname, port }: URL): boolean {
    const number = port === '' ? null : Number(port);
    return this.#domains.some(
      (each) => each.hostname === hostname && (each.port === number || number === null),
    );
  }

  #of(address: URL): Domain | undefined {
    const port = portOf(address);
    return this.#domains.find((domain) => {
      if (domain.port !== null) return domain.hostname === address.hostname && domain.port === port;
      if (domain.hostname === address.hostname) return true;
      return address.port === '' && bareHost(domain.hostname) === bareHost(address.hostname);
    });
  }
}

function domainOf(entry: string): Domain | null {
  const [, host, digits] = pattern.exec(entry.trim()) ?? [];
  if (host === undefined || !URL.canParse(`https://${host}/`)) return null;
  const { hostname } = new URL(`https://${host}/`);
  const port = digits === undefined ? null : Number(digits);
  return port !== null && (port < 1 || port > 65_535) ? null : { hostname, port };
}

function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
