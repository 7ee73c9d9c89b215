import { maxTokensParameter } from './budget.js';
import { ToolError } from './tool-error.js';
import type { ToolContext } from './tool.js';
import { readTool } from './tools/read.js';

const scheme = 'trove://';

/** Every object is a resource. There is no list of them, because sources have millions. */
export const resourceTemplate = {
  uriTemplate: `${scheme}{+uri}`,
  name: 'object',
  title: 'An object of a source',
  description: 'The text of a URI, or of lines of it: `trove://file://notes/a.md:10-20`.',
  mimeType: 'text/plain',
};

/** Reads the object of a resource. Throws `not_found` for a URI of another scheme. */
export async function readResource(uri: string, context: ToolContext) {
  if (!uri.startsWith(scheme))
    throw new ToolError('not_found', `Resource not found: ${uri}`, [
      `Resources are ${resourceTemplate.uriTemplate}.`,
    ]);
  const args = { uri: uri.slice(scheme.length), max_tokens: maxTokensParameter.maximum };
  const { text } = await readTool.call(args, context);
  return { uri, mimeType: resourceTemplate.mimeType, text };
}
