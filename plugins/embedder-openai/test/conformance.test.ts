import { embedderCases, embedderFaultCases, type FaultyEmbedderSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { createEmbedder } from './support/create.js';
import {
  apiKey,
  closedBaseUrl,
  openAiServer,
  refusedKey,
  sendError,
  type OpenAiServer,
} from './support/openai-server.js';

const test = suite<{ server: OpenAiServer }>('openai conformance');

test.before.each(async (context) => {
  context.server = await openAiServer();
});
test.after.each(async ({ server }) => {
  await server[Symbol.asyncDispose]();
});

function subject(server: OpenAiServer): FaultyEmbedderSubject {
  return {
    create: () => createEmbedder(server.baseUrl),
    createFaulty: async (fault) => {
      if (fault === 'auth') return createEmbedder(server.baseUrl, { api_key: `${apiKey}-wrong` });
      if (fault === 'unreachable') return createEmbedder(await closedBaseUrl());
      server.answers.push((response) => sendError(response, 429, 'Quota.', 'insufficient_quota'));
      return createEmbedder(server.baseUrl);
    },
    refusedText: `A ${refusedKey} text.`,
    secret: apiKey,
  };
}

for (const each of [...embedderCases, ...embedderFaultCases]) {
  test(each.title, ({ server }) => each.run(subject(server)));
}

test.run();
