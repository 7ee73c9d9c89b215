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

/** The networks that one connection may reach. `public` is always included. */
type AllowedNetwork = Network | 'anywhere';

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
  readonly #agents = new Map<AllowedNetwork, Promise<Agent>>();
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
    const dispatcher = await this.#agentFor(url, this.#allowedNetwork(scope, first));
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

  async #agentFor(url: URL, allowed: AllowedNetwork): Promise<Agent> {
    // An address as the host is not looked up, so `#lookup` would not check it.
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    if (isIP(host) !== 0) this.#admit(url.hostname, [networkOf(host)], allowed);
    const known = this.#agents.get(allowed);
    if (known !== undefined) return known;
    const agent = this.#createAgent(allowed);
    this.#agents.set(allowed, agent);
    return agent;
  }

  #allowedNetwork(scope: NetworkScope, first: URL): AllowedNetwork {
    if (scope === 'anywhere') return scope;
    return scope === 'public' ? scope : (this.#networks.get(first.hostname) ?? 'public');
  }

  /** Loads undici on first use, because most plugins make no requests. */
  async #createAgent(allowed: AllowedNetwork): Promise<Agent> {
    const { Agent: AgentClass } = await import('undici');
    const { firstByteMs, silenceMs, connectionsPerHost } = this.#limits;
    return new AgentClass({
      connections: connectionsPerHost,
      headersTimeout: firstByteMs,
      bodyTimeout: silenceMs,
      connect: { timeout: connectMs, lookup: this.#lookup(allowed) },
    });
  }

  /**
   * Resolves a host name and requires all its addresses to be in scope. The socket connects to the returned
   * address, so a second resolution cannot differ.
   */
  #lookup(allowed: AllowedNetwork): LookupFunction {
    return (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return done(error, '');
        const [first] = addresses;
        if (first === undefined) return done(new Error(`${hostname} has no address`), '');
        try {
          const networks = addresses.map(({ address }) => networkOf(address));
          this.#admit(hostname, networks, allowed);
        } catch (refusal) {
          return done(refusal instanceof Error ? refusal : new Error(String(refusal)), '');
        }
        return options.all === true
          ? done(null, addresses satisfies LookupAddress[])
          : done(null, first.address, first.family);
      });
    };
  }

  /** Throws unless all networks of a host are allowed. Remembers the network of a private host. */
  #admit(host: string, networks: readonly Network[], allowed: AllowedNetwork): void {
    const privateNetwork = networks.find((network) => network !== 'public');
    if (allowed === 'anywhere') {
      if (privateNetwork !== undefined) this.#networks.set(host, privateNetwork);
      return;
    }
    if (networks.every((network) => network === 'public' || network === allowed)) return;
    throw new TroveError('path_not_allowed', `${host} is not an address of the public internet`);
  }
}
