import type { Trove } from 'trove';
import type { Tool } from '../tool.js';
import { askGraphTool } from './ask-graph.js';
import { grepTool } from './grep.js';
import { listTool } from './list.js';
import { readTool } from './read.js';
import { searchTool } from './search.js';
import { statusTool } from './status.js';
import { syncTool } from './sync.js';

/** All tools, in the order in which they are listed. */
const allTools: readonly Tool[] = [
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

/** Returns the tools that a caller may use now. */
export async function offeredTools(
  engine: Trove,
  { canWrite }: { readonly canWrite: boolean },
): Promise<readonly Tool[]> {
  const { graphs } = await engine.graph.graphs();
  return allTools.filter(
    (tool) => (tool.isReadOnly || canWrite) && (tool !== askGraphTool || graphs.length > 0),
  );
}
