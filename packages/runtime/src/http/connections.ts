import { lookup as resolve, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { TroveError } from '@trove/core';
import { networkOf, type Network } from '@trove/core/provider';
import type { Agent } from 'undici';
import type { OutgoingRequest } from './outgoing-request.js';

/**
 * The addresses that a host may resolve to. `public`: the public internet. `same network`: the public internet
 * and the kind of network of the host that the call began with.
 */
export type NetworkScope = 'anywhere' | 'same network' | 'public';

/** Timeouts in milliseconds, and the maximum number of connections per host. */
export interface ConnectionLimits {
  readonly firstByteMs: number;
  readonly silenceMs: number;
  readonly connectionsPerHost: number;
}

const connectMs = 10_000;

/**
 * Keeps connections open for reuse. Each network scope has its own connections, because an address is checked
 * only when a connection opens.
 */
export class HttpConnections {
  readonly #limits: ConnectionLimits;
  readonly #agents = new Map<Network | 'anywhere', Promise<Agent>>();
  /** Networks of the private hosts that were requested with the scope `anywhere`. */
  readonly #networks = new Map<string, Network>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * Sends one request without following redirects. `first` is the URL that the call began with. Throws like
   * `fetch`, with the cause `path_not_allowed` for an address outside the scope.
   */
  async fetch(
    outgoing: OutgoingRequest,
    scope: NetworkScope,
    first: URL,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, method, headers, body } = outgoing;
    const { fetch } = await import('undici');
    const dispatcher = await this.#to(url, this.#within(scope, first));
    return fetch(url, {
      method,
      headers: [...headers],
      body,
      redirect: 'manual',
      duplex: 'half',
      signal,
      dispatcher,
    });
  }

  async #to(url: URL, within: Network | 'anywhere'): Promise<Agent> {
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    if (isIP(host) !== 0) this.#admit(url.hostname, [networkOf(host)], within);
    const known = this.#agents.get(within);
    if (known !== undefined) return known;
    const agent = this.#agent(within);
    this.#agents.set(within, agent);
    return agent;
  }

  #within(scope: NetworkScope, first: URL): Network | 'anywhere' {
    if (scope === 'anywhere') return scope;
    return scope === 'public' ? scope : (this.#networks.get(first.hostname) ?? 'public');
  }

  /** Loads undici on first use, because most plugins make no requests. */
  async #agent(within: Network | 'anywhere'): Promise<Agent> {
    const { Agent: Agents } = await import('undici');
    const { firstByteMs, silenceMs, connectionsPerHost } = this.#limits;
    return new Agents({
      connections: connectionsPerHost,
      headersTimeout: firstByteMs,
      bodyTimeout: silenceMs,
      connect: { timeout: connectMs, lookup: this.#lookup(within) },
    });
  }

  /**
   * Resolves a host name and requires all its addresses to be in scope. The socket connects to the returned
   * address, so a second resolution cannot differ.
   */
  #lookup(within: Network | 'anywhere'): LookupFunction {
    return (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return done(error, '');
        const [first] = addresses;
        if (first === undefined) return done(new Error(`${hostname} has no address`), '');
        try {
          const networks = addresses.map(({ address }) => networkOf(address));
          this.#admit(hostname, networks, within);
        } catch (refusal) {
          return done(refusal instanceof Error ? refusal : new Error(String(refusal)), '');
        }
        return options.all === true
          ? done(null, addresses satisfies LookupAddress[])
          : done(null, first.address, first.family);
      });
    };
  }

  #admit(host: string, networks: readonly Network[], within: Network | 'anywhere'): void {
    const other = networks.find((network) => network !== 'public');
    if (within === 'anywhere') {
      if (other !== undefined) this.#networks.set(host, other);
      return;
    }
    if (networks.every((network) => network === 'public' || network === within)) return;
    throw new TroveError('path_not_allowed', `${host} is not an address of the public internet`);
  }
}
