import type { AskResponse } from '../generated/models.js';
import type { AskParameters } from '../generated/retrieval-api.js';
import type { CallOptions } from './configuration.js';
import { apiError, connectionLost, invalidResponse } from './failures.js';
import type { HttpClient, ReceivedEvent } from './http.js';

/** A part of an answer that is being written, or the whole answer. */
export type AskStreamEvent =
  | {
      /** The passages that are considered. */
      readonly event: 'passages';
      readonly passages: AskResponse['passages'];
    }
  | {
      /** Further text of a language model. Its citations are verified. */
      readonly event: 'text';
      readonly text: string;
    }
  | {
      /** The language model starts again. Discard the text so far. */
      readonly event: 'restart';
    }
  | {
      /** The last event. The answer replaces the text. */
      readonly event: 'answer';
      readonly answer: AskResponse;
    };

/**
 * Asks a question and yields its answer while a language model writes it. The last event is the response of `ask`.
 * Iterating throws a TroveApiError, also if the response breaks off.
 */
export async function* askEvents(
  http: HttpClient,
  { body }: AskParameters,
  options?: CallOptions,
): AsyncGenerator<AskStreamEvent> {
  const request = { method: 'POST', path: '/v1/ask', json: body };
  for await (const received of http.events(request, options)) {
    const event = toEvent(received);
    if (event === null) continue;
    yield event;
    if (event.event === 'answer') return;
  }
  throw connectionLost(200, new Error('the answer is incomplete'));
}

/** Returns null for an event that this client does not know. */
function toEvent({ event, data }: ReceivedEvent): AskStreamEvent | null {
  switch (event) {
    case 'passages': {
      const { passages }: Pick<AskResponse, 'passages'> = parse(data);
      return { event, passages };
    }
    case 'text': {
      const { text }: { readonly text: string } = parse(data);
      return { event, text };
    }
    case 'restart':
      return { event };
    case 'answer':
    // A server without streams answers with JSON.
    case 'message':
      return { event: 'answer', answer: parse(data) };
    case 'error':
      throw apiError(200, 'OK', data, null);
    default:
      return null;
  }
}

function parse(data: string) {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw invalidResponse(200, `the event is not JSON: ${data.slice(0, 80)}`, cause);
  }
}
