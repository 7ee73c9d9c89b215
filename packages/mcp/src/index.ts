export {
  createMcpEndpoint,
  type McpCaller,
  type McpEndpoint,
  type McpOptions,
} from './endpoint.js';
export { toolNames } from './tools/index.js';
