import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { isTroveError } from '@trove/core';
import type { Logger } from '@trove/core';
import type { Trove } from 'trove';
import { callTool } from './call.js';
import { instructions } from './instructions.js';
import { readResource, resourceTemplate } from './resources.js';
import { describeTool } from './tool-description.js';
import { findTool, offeredTools } from './tools/index.js';

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

/** How long clients may keep the list of tools. A new graph adds a tool. */
const listTtlMs = 60_000;
const writeScope = 'write';

/** Creates the endpoint of an engine. Closing it does not close the engine. */
export function createMcpEndpoint({
  engine,
  version,
  logger,
  timeoutMs = 20_000,
}: McpOptions): McpEndpoint {
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const canWrite = authInfo?.scopes.includes(writeScope) === true;
      // Versions before 2026-07-28 do not end a call when its client disconnects.
      const disconnected = requestInfo?.signal ?? new AbortController().signal;
      return createServer({ engine, version, timeoutMs, canWrite, disconnected });
    },
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

interface ServerContext {
  readonly engine: Trove;
  readonly version: string;
  readonly timeoutMs: number;
  readonly canWrite: boolean;
  readonly disconnected: AbortSignal;
}

/** Creates the server of one request. */
function createServer({
  engine,
  version,
  timeoutMs,
  canWrite,
  disconnected,
}: ServerContext): Server {
  const server = new Server(
    { name: 'trove', title: 'Trove', version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: listTtlMs },
        'resources/templates/list': { ttlMs: listTtlMs },
      },
    },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await offeredTools(engine, { canWrite })).map(describeTool),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = findTool(params.name, { canWrite });
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const signal = AbortSignal.any([mcpReq.signal, disconnected]);
    return callTool(tool, params.arguments ?? {}, { engine, signal, timeoutMs });
  });
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [resourceTemplate],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    const signal = AbortSignal.any([mcpReq.signal, disconnected]);
    try {
      return { contents: [await readResource(uri, { engine, signal, now: Date.now() })] };
    } catch (error) {
      if (!isTroveError(error)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, {
        code: error.code,
        uri,
      });
    }
  });
  return server;
}
