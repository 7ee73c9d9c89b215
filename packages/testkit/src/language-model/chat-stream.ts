import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface ChatStreamOptions {
  /** Default `test-model`. */
  readonly model?: string;
  /** Whether the request has `stream_options.include_usage`. Default false. */
  readonly withUsage?: boolean;
}

/** An answer of OpenAI's protocol in server-sent events. */
export interface ChatStream {
  /** Sends a piece of the text. Resolves when the client has room for more. */
  text(piece: string): Promise<void>;
  /** Sends the parts of a chunk's delta, such as a refusal. */
  delta(delta: object): void;
  /** Sends an error instead of the rest, as OpenAI does after the status has been sent. */
  error(message: string, code?: string | null): void;
  /** Sends the reason for the end and the token usage, and ends the response. `isMarked`: with `[DONE]` (default). */
  end(end?: {
    readonly finishReason?: string | null;
    readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
    readonly isMarked?: boolean;
  }): void;
}

/** Starts the streamed answer of a model, like OpenAI. */
export function openChatStream(
  response: ServerResponse,
  { model = 'test-model', withUsage = false }: ChatStreamOptions = {},
): ChatStream {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = (data: object | string): boolean =>
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  const chunk = (choices: readonly object[], usage: object | null = null): boolean =>
    send({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model,
      system_fingerprint: null,
      choices,
      ...(withUsage ? { usage } : {}),
    });
  const choose = (delta: object, finishReason: string | null = null): boolean =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finishReason }]);
  choose({ role: 'assistant', content: '', refusal: null });
  return {
    async text(piece) {
      if (!choose({ content: piece }) && !response.destroyed)
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    },
    delta: (delta) => void choose(delta),
    error(message, code = null) {
      send({ error: { message, type: 'server_error', param: null, code } });
      response.end();
    },
    end({ finishReason = 'stop', usage, isMarked = true } = {}) {
      if (finishReason !== null) choose({}, finishReason);
      if (withUsage && usage !== undefined) chunk([], usage);
      if (isMarked) send('[DONE]');
      response.end();
    },
  };
}
