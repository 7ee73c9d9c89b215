import type { TroveOperations } from 'trove';
import type { Tool } from '../tool.js';
import { askGraphTool } from './ask-graph.js';
import { grepTool } from './grep.js';
import { listTool } from './list.js';
import { readTool } from './read.js';
import { searchTool } from './search.js';
import { statusTool } from './status.js';
import { syncTool } from './sync.js';

/** All tools, in the order in which they are listed. */
export const allTools: readonly Tool[] = [
  searchTool,
  grepTool,
  readTool,
  listTool,
  askGraphTool,
  statusTool,
  syncTool,
];

/** The names of all tools, in the order of the list. */
export const toolNames: readonly string[] = allTools.map(({ name }) => name);

/** The rights of a caller. */
export interface ToolRights {
  /** Whether the caller may use tools that change something. */
  readonly canWrite: boolean;
}

/** Returns a tool by its name, or undefined if the caller has no such tool. */
export function findTool(
  tools: readonly Tool[],
  name: string,
  rights: ToolRights,
): Tool | undefined {
  return tools.find((tool) => tool.name === name && isAllowed(tool, rights));
}

/** Returns the tools that a caller may use now. */
export async function offeredTools(
  tools: readonly Tool[],
  engine: TroveOperations,
  rights: ToolRights,
): Promise<readonly Tool[]> {
  const { graphs } = await engine.graph.graphs();
  const useless = graphs.length === 0 ? askGraphTool : null;
  return tools.filter((tool) => tool !== useless && isAllowed(tool, rights));
}

function isAllowed({ isReadOnly }: Tool, { canWrite }: ToolRights): boolean {
  return isReadOnly || canWrite;
}
