import type { JsonSchema } from '@trove/core';
import type { ChatMessage, CompletionRequest, ImagePart, TextPart } from '@trove/core/model';
import { withoutLoneSurrogates } from '@trove/core/provider';

/** The name of the token limit that a server accepts. */
export type LimitName = 'max_tokens' | 'max_completion_tokens';

/** Ways to request JSON: with a schema, as any JSON, or by an instruction. */
export const jsonModes = ['json_schema', 'json_object', 'words'] as const;
export type JsonMode = (typeof jsonModes)[number];

/** Ways to request a stream: with the tokens of the answer, without them, or not at all. */
export type StreamMode = 'usage' | 'plain' | 'none';

/** The parameters that a server is known or assumed to accept. */
export interface ChatDialect {
  readonly limit: LimitName;
  readonly jsonMode: JsonMode;
  readonly streamMode: StreamMode;
}

/** Returns the body of `POST /chat/completions`. */
export function requestBody(
  model: string,
  { messages, schema, maxTokens, onText }: Omit<CompletionRequest, 'signal'>,
  { limit, jsonMode, streamMode }: ChatDialect,
): unknown {
  const inWords = schema !== undefined && jsonMode !== 'json_schema';
  return {
    model,
    messages: [...(inWords ? [instruction(schema)] : []), ...messages].map(messageBody),
    ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
    ...(schema === undefined ? {} : responseFormat(schema, jsonMode)),
    ...(onText === undefined ? {} : streamParameters(streamMode)),
  };
}

function streamParameters(streamMode: StreamMode): object {
  if (streamMode === 'none') return {};
  return streamMode === 'plain'
    ? { stream: true }
    : { stream: true, stream_options: { include_usage: true } };
}

function messageBody({ role, content }: ChatMessage): unknown {
  return {
    role,
    content: typeof content === 'string' ? withoutLoneSurrogates(content) : content.map(partBody),
  };
}

function partBody(part: TextPart | ImagePart): unknown {
  if (part.type === 'text') return { type: 'text', text: withoutLoneSurrogates(part.text) };
  const { buffer, byteOffset, byteLength } = part.bytes;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${base64}` } };
}

function responseFormat(schema: JsonSchema, jsonMode: JsonMode): object {
  if (jsonMode === 'words') return {};
  if (jsonMode === 'json_object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: isStrict(schema) },
    },
  };
}

function instruction(schema: JsonSchema): ChatMessage {
  return {
    role: 'system',
    content: `Answer with JSON only, which is valid against this JSON Schema: ${JSON.stringify(schema)}`,
  };
}

/**
 * Tests if every object of a schema is closed and requires all properties. Strict answers support only such schemas.
 */
function isStrict(schema: JsonSchema): boolean {
  const { properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema;
  const names = Object.keys(properties);
  const isObject = schema.type === 'object';
  if (
    isObject &&
    (additionalProperties !== false || names.some((name) => !required.includes(name)))
  )
    return false;
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf];
  return schema.oneOf === undefined && inner.every(isStrict);
}
