import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { JsonSchema } from '@trove/core';

import { MemoryLanguageModel } from '../memory/memory-language-model.js';
import { piecesOf } from '../memory/text-pieces.js';
import { openChatStream } from './chat-stream.js';

/** The parts of a request to `/v1/chat/completions` that tests check. */
export interface SeenChatRequest {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  /** The text of the last message. An image in it is `[image/png of 123 bytes]`. */
  readonly prompt: string;
  readonly maxTokens: number | undefined;
  /** `json_schema`, `json_object` or undefined. */
  readonly format: string | undefined;
  readonly schema: JsonSchema | undefined;
  /** The request body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers one request instead of the server. */
export type ChatAnswer = (
  response: ServerResponse,
  request: SeenChatRequest,
) => void | Promise<void>;

/** Behaviour of a server, which tests may change at any time. */
export interface ChatServerState {
  /** Whether it knows only `max_completion_tokens`, like newer models. */
  newLimit: boolean;
  /** The supported response formats. */
  formats: readonly string[];
  /** The answer to a prompt. Default: the prompt. */
  answer: (prompt: string) => string;
  /** Awaited before each answer. Block it to catch a call half-way. */
  pause: () => Promise<void>;
}

export interface ChatServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly state: ChatServerState;
  readonly requests: SeenChatRequest[];
  /** Prompts with a sent answer, for which a provider would charge. */
  readonly answered: string[];
  /** Answers of the next requests, first in first out. Without any, the server answers itself. */
  readonly answers: ChatAnswer[];
}

export interface ChatServerOptions {
  /** Default: no key is required. */
  readonly apiKey?: string;
  /** Prompts that include this are refused. */
  readonly refuse?: string;
  /** Prompts that include this get an empty answer. */
  readonly silence?: string;
}

/** Starts an HTTP server on a loopback port with OpenAI's `/v1/chat/completions`. A token is a word. */
export async function chatServer(options: ChatServerOptions = {}): Promise<ChatServer> {
  const requests: SeenChatRequest[] = [];
  const answered: string[] = [];
  const answers: ChatAnswer[] = [];
  const state: ChatServerState = {
    newLimit: false,
    formats: ['json_schema', 'json_object'],
    answer: (prompt) => prompt,
    pause: async () => undefined,
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen = await readRequest(request);
    requests.push(seen);
    response.on('finish', () => {
      if (response.statusCode === 200) answered.push(seen.prompt);
    });
    await state.pause();
    const answer = answers.shift();
    if (answer === undefined) await ownAnswer(request, response, seen, options, state);
    else await answer(response, seen);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => sendChatError(response, 400, String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    state,
    requests,
    answered,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenChatRequest> {
  const body = object(await json(request));
  const messages = list(body['messages']).map((message) => ({
    role: String(object(message)['role']),
    content: object(message)['content'],
  }));
  const format = object(body['response_format']);
  const { schema } = object(format['json_schema']);
  const limit = body['max_tokens'] ?? body['max_completion_tokens'];
  return {
    authorization: request.headers.authorization,
    model: String(body['model']),
    messages,
    prompt: promptOf(messages.at(-1)?.content),
    maxTokens: typeof limit === 'number' ? limit : undefined,
    format: typeof format['type'] === 'string' ? format['type'] : undefined,
    schema: isSchema(schema) ? schema : undefined,
    body,
  };
}

async function ownAnswer(
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
  seen: SeenChatRequest,
  { apiKey, refuse, silence }: ChatServerOptions,
  { newLimit, formats, answer }: ChatServerState,
): Promise<void> {
  const { authorization, model, prompt, maxTokens, format, schema, body } = seen;
  const isJson = headers['content-type'] === 'application/json';
  if (method !== 'POST' || url !== '/v1/chat/completions' || !isJson)
    return sendChatError(response, 404, `Invalid URL (${method} ${url})`);
  if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`) {
    const message = `Incorrect API key provided: ${authorization}.`;
    return sendChatError(response, 401, message, 'invalid_api_key');
  }
  if (newLimit && 'max_tokens' in body) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return sendChatError(response, 400, message, 'unsupported_parameter', {}, 'max_tokens');
  }
  if (format !== undefined && !formats.includes(format))
    return sendChatError(response, 400, `response_format.type: ${format} is not supported`);
  if (/\p{Surrogate}/u.test(prompt)) return sendChatError(response, 400, 'Invalid JSON.');
  if (refuse !== undefined && prompt.includes(refuse))
    return sendChatError(response, 400, 'The prompt is against our rules.', 'content_policy');
  if (silence !== undefined && prompt.includes(silence))
    return sendChat(response, { model, content: '' });
  const memory = new MemoryLanguageModel({ answer });
  const { text, truncated, usage } = await memory.complete({
    messages: [{ role: 'user', content: prompt }],
    signal: new AbortController().signal,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(schema === undefined ? {} : { schema }),
  });
  const finishReason = truncated ? 'length' : 'stop';
  const counts = { prompt_tokens: usage?.input ?? 0, completion_tokens: usage?.output ?? 0 };
  if (body['stream'] !== true)
    return sendChat(response, { model, content: text, finishReason, usage: counts });
  const withUsage = object(body['stream_options'])['include_usage'] === true;
  const stream = openChatStream(response, { model, withUsage });
  for (const piece of piecesOf(text)) await stream.text(piece);
  stream.end({ finishReason, usage: counts });
}

export interface ChatReply {
  readonly model?: string;
  readonly content: unknown;
  /** Default `stop`. */
  readonly finishReason?: string;
  readonly refusal?: string | null;
  /** Undefined if the server does not report it. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** Sends a model's answer like OpenAI. */
export function sendChat(
  response: ServerResponse,
  { model = 'test-model', content, finishReason = 'stop', refusal = null, usage }: ChatReply,
): void {
  send(response, 200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal }, finish_reason: finishReason },
    ],
    ...(usage === undefined ? {} : { usage }),
  });
}

/** Sends an error like OpenAI. */
export function sendChatError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string | null = null,
  headers: Readonly<Record<string, string>> = {},
  param: string | null = null,
): void {
  send(
    response,
    status,
    { error: { message, type: 'invalid_request_error', param, code } },
    headers,
  );
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function promptOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content).map(partText).join(' ');
}

function partText(part: unknown): string {
  const { text, image_url: image } = object(part);
  if (typeof text === 'string') return text;
  const [, type, base64 = ''] =
    /^data:([a-z/]+);base64,(.*)$/.exec(String(object(image)['url'])) ?? [];
  return `[${type} of ${Buffer.from(base64, 'base64').length} bytes]`;
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
