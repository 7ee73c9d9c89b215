import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import type { Logger } from '@trove/core';
import type { Trove } from 'trove';
import { createAgentServer, type AgentRequest } from './server.js';
import { allTools } from './tools/index.js';

/** Options of `createMcpEndpoint`. */
export interface McpOptions {
  /** Owned by the caller. */
  readonly engine: Trove;
  /** Shown to agents as the version of the server. */
  readonly version: string;
  /** Gets refused requests at the level `debug`. */
  readonly logger: Logger;
  /** Time limit of a call in milliseconds. Default 20,000. */
  readonly timeoutMs?: number;
}

/** The caller of a request. */
export interface McpCaller {
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

const writeScope = 'write';

/** Creates the endpoint of an engine. Closing it does not close the engine. */
export function createMcpEndpoint({
  engine,
  version,
  logger,
  timeoutMs = 20_000,
}: McpOptions): McpEndpoint {
  return serveAgents(
    (request) => createAgentServer({ engine, version, timeoutMs, tools: allTools, ...request }),
    logger,
  );
}

/** Serves each request with a new server, which answers every version of the protocol. */
export function serveAgents(
  createServer: (request: AgentRequest) => Server,
  logger: Logger,
): McpEndpoint {
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) =>
      createServer({
        canWrite: authInfo?.scopes.includes(writeScope) === true,
        // Versions before 2026-07-28 do not end a call when its client disconnects.
        disconnected: requestInfo?.signal ?? new AbortController().signal,
      }),
    { onerror: (error) => logger.debug('request of an agent refused', { error }) },
  );
  return {
    fetch: (request, { canWrite }) => {
      // The handler passes the scopes on to the server of the request. Nothing reads the token.
      const scopes = canWrite ? [writeScope] : [];
      return handler.fetch(request, { authInfo: { token: '', clientId: '', scopes } });
    },
    close: () => handler.close(),
  };
}
