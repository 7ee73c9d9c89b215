import type { Trove } from 'trove';
import { createFixtureEndpoint } from '../../../mcp/test/support/fixtures/endpoint.js';
import { startHost, type Host, type HostOptions } from '../../src/host.js';
import { stubEngine } from './stub-engine.js';

/** An engine without sources and graphs. */
export function emptyEngine(): Trove {
  const graph = { graphs: () => Promise.resolve({ graphs: [] }) };
  return stubEngine({ graph: Object.assign(Object.create(null), graph) });
}

/** Starts a server without a token. Its endpoint for agents also has the fixtures of the protocol's conformance suite. */
export function startFixtureHost(options: Partial<HostOptions> = {}): Promise<Host> {
  return startHost({
    engine: emptyEngine(),
    bind: { host: '127.0.0.1', port: 0 },
    auth: { mode: 'open' },
    createMcpEndpoint: createFixtureEndpoint,
    ...options,
  });
}
