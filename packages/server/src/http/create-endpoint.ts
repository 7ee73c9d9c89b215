import type { McpEndpoint, McpOptions } from '@trove/mcp';

/** Creates the endpoint for agents. */
export type CreateEndpoint = (options: McpOptions) => McpEndpoint | Promise<McpEndpoint>;
