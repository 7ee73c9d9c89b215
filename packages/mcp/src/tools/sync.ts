import { answer } from '../answer.js';
import { defineTool, type ToolSchema } from '../tool.js';
import { nonEmptyText, pathAliases } from './parameters.js';
import { noSuchSource, matchSources } from './source-match.js';

const input = {
  type: 'object',
  properties: { source: { ...nonEmptyText, maxLength: 4000, description: 'URI of the source.' } },
  required: ['source'],
  additionalProperties: false,
} as const satisfies ToolSchema;

export const syncTool = defineTool({
  name: 'sync',
  title: 'Sync',
  description: 'Starts a sync of a source and answers at once. `status` shows its progress.',
  isReadOnly: false,
  input,
  output: {
    type: 'object',
    properties: { job_id: { type: 'string' } },
    required: ['job_id'],
  },
  aliases: { ...pathAliases, path: 'source', target: 'source' },
  async call({ source }, { engine, signal }) {
    const { connectors } = await engine.status({ signal });
    // `add` would register a new source.
    if (!connectors.some(({ root_uri: uri }) => uri === source))
      throw noSuchSource(source, matchSources(connectors, source).sources);
    const { job_id } = await engine.add({ target: source, process: false }, { signal });
    return answer([`Job ${job_id} is queued.`], { job_id }, { cursor: null, notes: [] });
  },
});
