import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type {
  CallToolRequest,
  ReadResourceRequest,
  ServerContext,
} from '@modelcontextprotocol/server';
import { isTroveError } from '@trove/core';
import type { TroveOperations } from 'trove';
import { callTool, type ToolResult } from './call.js';
import { instructions } from './instructions.js';
import { readResource, resourceTemplate } from './resources.js';
import { describeTool } from './tool-description.js';
import type { Tool } from './tool.js';
import { findTool, offeredTools } from './tools/index.js';

/** What the server of one request knows about its caller. */
export interface AgentRequest {
  /** The operations as the caller may use them. */
  readonly engine: TroveOperations;
  /** Whether the caller may use tools that change something. */
  readonly canWrite: boolean;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
}

export interface AgentServerOptions extends AgentRequest {
  readonly version: string;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
  /** In the order of the list. */
  readonly tools: readonly Tool[];
}

/** How long clients may keep the list of tools. A new graph adds a tool. */
const listTtlMs = 60_000;

/** Creates the server of one request. */
export function createAgentServer(options: AgentServerOptions): Server {
  const server = new Server(
    { name: 'trove', title: 'Trove', version: options.version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: listTtlMs },
        'resources/templates/list': { ttlMs: listTtlMs },
      },
    },
  );
  const requests = new AgentRequests(options);
  server.setRequestHandler('tools/list', () => requests.listTools());
  server.setRequestHandler('tools/call', (request, context) => requests.callTool(request, context));
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [resourceTemplate],
  }));
  server.setRequestHandler('resources/read', (request, context) =>
    requests.readResource(request, context),
  );
  return server;
}

/** Answers the requests of agents. */
export class AgentRequests {
  readonly #options: AgentServerOptions;

  constructor(options: AgentServerOptions) {
    this.#options = options;
  }

  async listTools() {
    const { tools, engine, canWrite } = this.#options;
    const offered = await offeredTools(tools, engine, { canWrite });
    return { tools: offered.map(describeTool) };
  }

  async callTool(
    { params }: Pick<CallToolRequest, 'params'>,
    context: ServerContext,
  ): Promise<ToolResult> {
    const { tools, engine, canWrite, timeoutMs } = this.#options;
    const tool = findTool(tools, params.name, { canWrite });
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const signal = this.#signalOf(context);
    return callTool(tool, params.arguments ?? {}, { engine, signal, timeoutMs });
  }

  async readResource(
    { params: { uri } }: Pick<ReadResourceRequest, 'params'>,
    context: ServerContext,
  ) {
    const { engine } = this.#options;
    const signal = this.#signalOf(context);
    try {
      return { contents: [await readResource(uri, { engine, signal, now: Date.now() })] };
    } catch (error) {
      if (!isTroveError(error)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, {
        code: error.code,
        uri,
      });
    }
  }

  #signalOf({ mcpReq }: ServerContext): AbortSignal {
    return AbortSignal.any([mcpReq.signal, this.#options.disconnected]);
  }
}
