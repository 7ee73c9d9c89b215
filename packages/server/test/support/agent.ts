import type { Host } from '../../src/host.js';
import { token } from './server.js';

type Json = Readonly<Record<string, unknown>>;

const modernVersion = '2026-07-28';

export interface AgentAnswer {
  readonly status: number;
  /** The result, or undefined for an error. */
  readonly result: Json | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

export interface AgentRequest {
  /** Speaks the version of 2026-07-28. Default: an earlier one. */
  readonly modern?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a message to `/mcp` as an agent does, with the token. */
export async function ask(
  { url }: Pick<Host, 'url'>,
  method: string,
  params: Json = {},
  { modern = false, headers = {}, signal }: AgentRequest = {},
): Promise<AgentAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params['name'] ?? params['uri'];
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(modern ? { 'mcp-protocol-version': modernVersion, 'mcp-method': method } : {}),
      ...(modern && typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: modern ? { ...params, _meta: meta } : params,
    }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const answer = parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return { status: response.status, result: answer.result, error: answer.error };
}

function parse(text: string): Pick<AgentAnswer, 'result' | 'error'> {
  return (text.startsWith('{') ? JSON.parse(text) : {}) as Pick<AgentAnswer, 'result' | 'error'>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly data: Json;
  readonly isError: boolean;
}

/** Calls a tool and returns both forms of its answer. */
export async function callTool(
  host: Pick<Host, 'url'>,
  name: string,
  args: Json = {},
  request: AgentRequest = {},
): Promise<ToolAnswer> {
  const { result, error } = await ask(host, 'tools/call', { name, arguments: args }, request);
  if (result === undefined) throw new Error(error?.message ?? 'no result');
  const [first]: unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  return {
    text: textOf(first),
    data: (result['structuredContent'] ?? {}) as Json,
    isError: result['isError'] === true,
  };
}

function textOf(content: unknown): string {
  return typeof content === 'object' && content !== null && 'text' in content
    ? String(content.text)
    : '';
}
