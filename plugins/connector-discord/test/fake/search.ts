import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';

import { messageForm, threadForm } from './forms.js';
import { invalidBody } from './problems.js';
import type { DiscordWorld, Message } from './world.js';

const maxLimit = 25;
const maxOffset = 9975;

/** Searches the visible messages of the server for words. The newest are listed first. */
export function searchAnswer(
  world: DiscordWorld,
  { query }: FakeRequest,
  isVisible: (message: Message) => boolean,
): FakeAnswer {
  if (!world.hasIndex)
    return {
      status: 202,
      json: {
        message: 'Index not yet available. Try again later',
        code: 110_000,
        documents_indexed: 0,
        retry_after: 2,
      },
    };
  const limit = Number(query.get('limit') ?? maxLimit);
  const offset = Number(query.get('offset') ?? 0);
  if (limit < 1 || limit > maxLimit || offset < 0 || offset > maxOffset) return invalidBody;
  const words = wordsOf(query.get('content') ?? '');
  const hits = [...world.messages.values()]
    .filter(isVisible)
    .filter(({ content }) => words.every((word) => wordsOf(content).includes(word)))
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  const page = hits.slice(offset, offset + limit);
  const threads = [...world.threads.values()].filter(({ id }) =>
    page.some(({ place }) => place === id),
  );
  return {
    json: {
      doing_deep_historical_index: false,
      total_results: hits.length,
      messages: page.map((message) => [{ ...messageForm(world, message), hit: true }]),
      threads: threads.map((thread) => threadForm(world, thread)),
      members: [],
    },
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
