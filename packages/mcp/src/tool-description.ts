import { isSpecType } from '@modelcontextprotocol/server';
import type { Tool } from './tool.js';

/** Keywords that only refuse values. Every model pays for a longer list of tools, and an error explains the refusal. */
const omittedKeywords = new Set(['minLength', 'maxLength', 'pattern', 'additionalProperties']);

/** Returns a tool as the protocol lists it. */
export function describeTool({ name, title, description, input, output, isReadOnly }: Tool) {
  const described: unknown = {
    name,
    title,
    description,
    inputSchema: forModels(input),
    outputSchema: output,
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  };
  if (!isSpecType.Tool(described)) throw new Error(`The tool ${name} has an invalid schema`);
  return described;
}

/** Returns a schema without the keywords that models do not need. */
function forModels(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forModels);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([key, value]) => !isOmitted(key, value));
  return Object.fromEntries(members.map(([key, value]) => [key, forModels(value)]));
}

/** A parameter may have the name of a keyword, but its value is a schema. */
function isOmitted(key: string, value: unknown): boolean {
  return omittedKeywords.has(key) && typeof value !== 'object';
}
