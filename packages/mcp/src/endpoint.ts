import { createMcpHandler, type AuthInfo, type Server } from '@modelcontextprotocol/server';
import type { Logger } from '@trove/core';
import type { TroveOperations } from 'trove';
import { createAgentServer, type AgentRequest } from './server.js';
import { allTools } from './tools/index.js';

/** Options of `createMcpEndpoint`. */
export interface McpOptions {
  /** Shown to agents as the version of the server. */
  readonly version: string;
  /** Gets refused requests at the level `debug`. */
  readonly logger: Logger;
  /** Time limit of a call in milliseconds. Default 20,000. */
  readonly timeoutMs?: number;
}

/** The caller of a request. */
export interface McpCaller {
  /** The operations as the caller may use them. */
  readonly engine: TroveOperations;
  /** Whether the caller may use tools that change something. */
  readonly canWrite: boolean;
}

/** Serves agents over the Model Context Protocol, in its versions since 2026-07-28 and in earlier ones. */
export interface McpEndpoint {
  /** Answers an HTTP request. Checks neither token nor host. The work ends when the signal of the request aborts. */
  fetch(request: Request, caller: McpCaller): Promise<Response>;
  /** Ends all calls. */
  close(): Promise<void>;
}

/** Creates the endpoint for agents. Each request names the engine as its caller may use it. */
export function createMcpEndpoint({
  version,
  logger,
  timeoutMs = 20_000,
}: McpOptions): McpEndpoint {
  return serveAgents(
    (request) => createAgentServer({ version, timeoutMs, tools: allTools, ...request }),
    logger,
  );
}

/** Serves each request with a new server, which answers every version of the protocol. */
export function serveAgents(
  createServer: (request: AgentRequest) => Server,
  logger: Logger,
): McpEndpoint {
  // The handler passes this object on to the server of the request, and reads no part of it.
  const callers = new WeakMap<AuthInfo, McpCaller>();
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const caller = authInfo && callers.get(authInfo);
      if (caller === undefined) throw new Error('a request of an agent has no caller');
      return createServer({
        ...caller,
        // Versions before 2026-07-28 do not end a call when its client disconnects.
        disconnected: requestInfo?.signal ?? new AbortController().signal,
      });
    },
    { onerror: (error) => logger.debug('request of an agent refused', { error }) },
  );
  return {
    fetch: (request, caller) => {
      const authInfo = { token: '', clientId: '', scopes: [] };
      callers.set(authInfo, caller);
      return handler.fetch(request, { authInfo });
    },
    close: () => handler.close(),
  };
}
