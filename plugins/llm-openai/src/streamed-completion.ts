import type { Completion } from '@trove/core/model';
import type { ProviderApi, StreamedResponse } from '@trove/core/provider';
import { createParser } from 'eventsource-parser';

import { completionOf, parsed, readCompletion, textOf, member } from './completion.js';
import { StreamedText } from './streamed-text.js';

/** The data of the event after the last one of an answer. */
const endMark = '[DONE]';

/**
 * Reads a completion from the events of a response and passes on its text as it arrives. Accepts a whole completion
 * from servers that cannot stream. Throws the errors of `readCompletion`, of an error event, and for an incomplete
 * answer.
 */
export async function readStreamedCompletion(
  { mediaType, pieces }: StreamedResponse,
  wantsJson: boolean,
  api: Pick<ProviderApi, 'invalidAnswerError' | 'errorInResponse'>,
  send: (piece: string) => Promise<void>,
): Promise<Completion> {
  if (mediaType !== 'text/event-stream') {
    const texts: string[] = [];
    for await (const piece of pieces) texts.push(piece);
    const completion = readCompletion(texts.join(''), wantsJson, api);
    await send(completion.text);
    return completion;
  }
  const message = new StreamedMessage(api);
  const text = new StreamedText(wantsJson);
  for await (const data of eventsIn(pieces)) {
    if (data === endMark) break;
    const piece = text.push(message.push(data));
    if (piece !== '') await send(piece);
  }
  const completion = completionOf(message.toResponse(), wantsJson, api);
  const rest = completion.text.slice(text.length);
  if (rest !== '') await send(rest);
  return completion;
}

/** Yields the data of each event. Ignores comments. */
async function* eventsIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  for await (const piece of pieces) {
    parser.feed(piece);
    yield* events;
    events = [];
  }
}

/** Joins the chunks of a message. */
class StreamedMessage {
  readonly #api: Pick<ProviderApi, 'invalidAnswerError' | 'errorInResponse'>;
  readonly #content: string[] = [];
  readonly #refusal: string[] = [];
  #finishReason: unknown = null;
  #usage: unknown;

  constructor(api: Pick<ProviderApi, 'invalidAnswerError' | 'errorInResponse'>) {
    this.#api = api;
  }

  /** Adds a chunk. Returns its text. */
  push(data: string): string {
    const chunk = parsed(data);
    if (chunk === undefined) throw this.#api.invalidAnswerError('an event is not JSON');
    const error = member(chunk, 'error');
    if (error !== undefined && error !== null) throw this.#api.errorInResponse(error);
    this.#usage = member(chunk, 'usage') ?? this.#usage;
    const choices = member(chunk, 'choices');
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    this.#finishReason = member(choice, 'finish_reason') ?? this.#finishReason;
    const delta = member(choice, 'delta');
    const refusal = member(delta, 'refusal');
    if (typeof refusal === 'string') this.#refusal.push(refusal);
    const text = textOf(member(delta, 'content'));
    this.#content.push(text);
    return text;
  }

  /** Returns the same as one response. Throws if the message has no end. */
  toResponse(): unknown {
    if (typeof this.#finishReason !== 'string')
      throw this.#api.invalidAnswerError('it ends in the middle of the answer');
    const refusal = this.#refusal.join('');
    const message = { content: this.#content.join(''), refusal: refusal === '' ? null : refusal };
    return { choices: [{ message, finish_reason: this.#finishReason }], usage: this.#usage };
  }
}
